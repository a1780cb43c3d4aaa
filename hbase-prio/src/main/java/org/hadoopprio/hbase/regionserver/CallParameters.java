// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.policy.RequestKind;

/** Reads region, row and priority attribute from the parameter message of an RPC call. */
final class CallParameters {

  private CallParameters() {}

  /** The region that a parameter names, or null if it names none or, like a batch, several. */
  static ByteString region(Message parameter) {
    if (parameter instanceof GetRequest) {
      return ((GetRequest) parameter).getRegion().getValue();
    }
    if (parameter instanceof MutateRequest) {
      return ((MutateRequest) parameter).getRegion().getValue();
    }
    if (parameter instanceof ScanRequest && ((ScanRequest) parameter).hasRegion()) {
      return ((ScanRequest) parameter).getRegion().getValue();
    }
    if (parameter instanceof CoprocessorServiceRequest) {
      return ((CoprocessorServiceRequest) parameter).getRegion().getValue();
    }
    return null;
  }

  /** What a call does; null for what no rule of a policy names. */
  static RequestKind kind(Message parameter) {
    if (parameter instanceof GetRequest) {
      return RequestKind.GET;
    }
    if (parameter instanceof MultiRequest) {
      return RequestKind.MULTI;
    }
    if (parameter instanceof ScanRequest) {
      return RequestKind.SCAN;
    }
    return parameter instanceof MutateRequest ? RequestKind.MUTATION : null;
  }

  /**
   * The column families that a call stays within, of a batch of Gets those of all; empty if it
   * names none, and so is for all, or does not say: the condition of a change may read any, and
   * what a batch changes may be outside of the message.
   */
  static Set<String> families(Message parameter) {
    Set<String> families = new HashSet<>();
    if (parameter instanceof MultiRequest) {
      return addRead((MultiRequest) parameter, families) ? families : Set.of();
    }
    if (parameter instanceof GetRequest) {
      addRead(((GetRequest) parameter).getGet().getColumnList(), families);
    } else if (parameter instanceof ScanRequest) {
      addRead(((ScanRequest) parameter).getScan().getColumnList(), families);
    } else if (parameter instanceof MutateRequest) {
      addChanged((MutateRequest) parameter, families);
    }
    return families;
  }

  /** Adds those of a batch's Gets; returns false if one is for all, or it is not of Gets only. */
  private static boolean addRead(MultiRequest batch, Set<String> families) {
    for (RegionAction region : batch.getRegionActionList()) {
      for (Action action : region.getActionList()) {
        if (!action.hasGet() || action.getGet().getColumnCount() == 0) {
          return false;
        }
        addRead(action.getGet().getColumnList(), families);
      }
    }
    return true;
  }

  private static void addRead(List<Column> columns, Set<String> families) {
    for (Column column : columns) {
      families.add(column.getFamily().toStringUtf8());
    }
  }

  private static void addChanged(MutateRequest change, Set<String> families) {
    if (change.hasCondition() || change.getMutation().getAssociatedCellCount() > 0) {
      return;
    }
    for (ColumnValue column : change.getMutation().getColumnValueList()) {
      families.add(column.getFamily().toStringUtf8());
    }
  }

  /** The priority attribute of a parameter's only operation, or null. */
  static byte[] attribute(Message parameter) {
    if (parameter instanceof GetRequest) {
      return attribute(((GetRequest) parameter).getGet().getAttributeList());
    }
    if (parameter instanceof MutateRequest) {
      return attribute(((MutateRequest) parameter).getMutation().getAttributeList());
    }
    if (parameter instanceof ScanRequest) {
      return attribute(((ScanRequest) parameter).getScan().getAttributeList());
    }
    return null;
  }

  private static byte[] attribute(List<NameBytesPair> attributes) {
    ByteString text = attributeText(attributes);
    return text == null ? null : text.toByteArray();
  }

  /** The priority attribute among an operation's attributes, not copied, or null. */
  static ByteString attributeText(List<NameBytesPair> attributes) {
    for (NameBytesPair attribute : attributes) {
      if (attribute.getName().equals(IoPriority.ATTRIBUTE)) {
        return attribute.getValue();
      }
    }
    return null;
  }

  /**
   * The row of a parameter's only operation in printable form; empty if there is none.
   *
   * @param maxBytes longer rows are cut
   */
  static String printableRow(Message parameter, int maxBytes) {
    // Copy first, then cut: a ByteString backed by the request's buffer cannot be cut.
    byte[] row = row(parameter).toByteArray();
    return Bytes.toStringBinary(row, 0, Math.min(row.length, maxBytes));
  }

  private static ByteString row(Message parameter) {
    if (parameter instanceof GetRequest) {
      return ((GetRequest) parameter).getGet().getRow();
    }
    if (parameter instanceof MutateRequest) {
      return ((MutateRequest) parameter).getMutation().getRow();
    }
    if (parameter instanceof ScanRequest) {
      return ((ScanRequest) parameter).getScan().getStartRow();
    }
    return ByteString.EMPTY;
  }
}
