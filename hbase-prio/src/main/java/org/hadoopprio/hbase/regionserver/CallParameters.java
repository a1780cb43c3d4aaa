// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
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
