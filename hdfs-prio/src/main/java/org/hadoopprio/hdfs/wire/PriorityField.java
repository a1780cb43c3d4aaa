package org.hadoopprio.hdfs.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/**
 * The field that carries a priority in an operation of the DataTransferProtocol.
 *
 * <p>It is field {@value #NUMBER} of the operation's message, which stock Hadoop does not know and
 * therefore preserves and ignores. Its content is the message of docs/protocol.md: {@code class}
 * (1) and {@code level} (2), both varint; other fields are reserved for later versions. Without a
 * priority there is no field, and the bytes are those of stock Hadoop.
 */
public final class PriorityField {

  /** Far above the field numbers that Hadoop uses, below protobuf's limit of 2^29 - 1. */
  public static final int NUMBER = 536000001;

  static final int CLASS = 1;
  static final int LEVEL = 2;

  private static final Map<IoPriority, UnknownFieldSet.Field> FIELDS = new HashMap<>();

  /**
   * The contents that {@link #write} sends; other encodings of the same values are decoded field by
   * field.
   */
  private static final Map<ByteString, IoPriority> CONTENTS = new HashMap<>();

  static {
    for (IoPriority priority : IoPriority.all()) {
      ByteString content = encode(priority);
      CONTENTS.put(content, priority);
      FIELDS.put(priority, UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build());
    }
  }

  private PriorityField() {}

  /** A copy of the message with the priority added. */
  public static Message write(Message message, IoPriority priority) {
    Message.Builder copy = message.toBuilder();
    writeTo(copy, priority);
    return copy.build();
  }

  /** Adds the priority to a message that is being built; one that is there is replaced. */
  public static void writeTo(Message.Builder message, IoPriority priority) {
    message.setUnknownFields(
        UnknownFieldSet.newBuilder(message.getUnknownFields())
            .addField(NUMBER, FIELDS.get(priority))
            .build());
  }

  /**
   * The priority that a message carries, or null if it carries none.
   *
   * @throws MalformedPriorityException if the field is present and malformed
   */
  public static IoPriority read(Message message) throws MalformedPriorityException {
    UnknownFieldSet unknown = message.getUnknownFields();
    if (!unknown.hasField(NUMBER)) {
      return null;
    }
    List<ByteString> contents = unknown.getField(NUMBER).getLengthDelimitedList();
    if (contents.isEmpty()) {
      throw new MalformedPriorityException("field " + NUMBER + " has the wrong wire type");
    }
    ByteString content = contents.get(contents.size() - 1);
    IoPriority known = CONTENTS.get(content);
    return known == null ? decode(content) : known;
  }

  private static ByteString encode(IoPriority priority) {
    UnknownFieldSet.Builder content = UnknownFieldSet.newBuilder();
    content.mergeVarintField(CLASS, priority.ioClass().code());
    if (priority.level() != 0) {
      content.mergeVarintField(LEVEL, priority.level());
    }
    return content.build().toByteString();
  }

  private static IoPriority decode(ByteString content) throws MalformedPriorityException {
    UnknownFieldSet fields;
    try {
      fields = UnknownFieldSet.parseFrom(content);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedPriorityException("content is not a protobuf message");
    }
    long code = lastVarint(fields, CLASS, -1);
    IoClass ioClass = IoClass.fromCode(code);
    if (ioClass == null) {
      throw new MalformedPriorityException(
          code == -1 ? "no class" : "class " + code + " is not known to this version");
    }
    long level = lastVarint(fields, LEVEL, 0);
    IoPriority priority = IoPriority.find(ioClass, level);
    if (priority == null) {
      throw new MalformedPriorityException(
          "level " + level + " does not exist in class " + ioClass.shortName());
    }
    return priority;
  }

  private static long lastVarint(UnknownFieldSet fields, int number, long absent)
      throws MalformedPriorityException {
    if (!fields.hasField(number)) {
      return absent;
    }
    List<Long> values = fields.getField(number).getVarintList();
    if (values.isEmpty()) {
      throw new MalformedPriorityException("field " + number + " has the wrong wire type");
    }
    return values.get(values.size() - 1);
  }
}
