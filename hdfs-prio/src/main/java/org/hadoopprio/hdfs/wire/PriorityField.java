// SPDX-License-Identifier: Apache-2.0
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
import org.hadoopprio.IoRole;
import org.hadoopprio.disktime.Tenant;

/**
 * The field that carries a priority, and role and tenant of the work, in an operation of the
 * DataTransferProtocol.
 *
 * <p>It is field {@value #NUMBER} of the operation's message, which stock Hadoop does not know and
 * therefore preserves and ignores. Its content is the message of docs/protocol.md: {@code class}
 * (1), {@code level} (2), {@code target} (3), {@code role} (4), {@code following} (5), {@code
 * may_refuse} (6) and {@code patience} (7), all varint, and {@code tenant} (8), a text; other
 * fields are reserved for later versions. Without a priority and a tenant there is no field, and
 * the bytes are those of stock Hadoop.
 */
public final class PriorityField {

  /** Far above the field numbers that Hadoop uses, below protobuf's limit of 2^29 - 1. */
  public static final int NUMBER = 536000001;

  static final int CLASS = 1;
  static final int LEVEL = 2;
  static final int TARGET = 3;
  static final int ROLE = 4;
  static final int FOLLOWING = 5;
  static final int MAY_REFUSE = 6;
  static final int PATIENCE = 7;
  static final int TENANT = 8;

  /** Those of hints with neither a target nor a patience nor a tenant. */
  private static final Map<Hint, UnknownFieldSet.Field> FIELDS = new HashMap<>();

  /** The contents that {@link #write} sends of those; others are decoded field by field. */
  private static final Map<ByteString, Hint> CONTENTS = new HashMap<>();

  static {
    for (IoPriority priority : IoPriority.all()) {
      add(Hint.of(priority, null));
      for (IoRole role : IoRole.values()) {
        add(Hint.of(priority, role));
      }
    }
  }

  private PriorityField() {}

  private static void add(Hint hint) {
    ByteString content = encode(hint);
    CONTENTS.put(content, hint);
    FIELDS.put(hint, field(content));
  }

  private static UnknownFieldSet.Field field(ByteString content) {
    return UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build();
  }

  /**
   * A copy of the message with the hint added.
   *
   * @param hint must say something
   */
  public static Message write(Message message, Hint hint) {
    Message.Builder copy = message.toBuilder();
    writeTo(copy, hint);
    return copy.build();
  }

  /**
   * Adds the hint to a message that is being built; one that is there is replaced.
   *
   * @param hint must say something
   */
  public static void writeTo(Message.Builder message, Hint hint) {
    UnknownFieldSet.Field known = FIELDS.get(hint);
    UnknownFieldSet.Field field = known == null ? field(encode(hint)) : known;
    message.setUnknownFields(
        UnknownFieldSet.newBuilder(message.getUnknownFields()).addField(NUMBER, field).build());
  }

  /**
   * The hint that a message carries; {@link Hint#NOTHING} if it carries none. A role that cannot be
   * read is {@link IoRole#UNKNOWN}, a number of reads to follow that cannot be read is 0, and the
   * name of a tenant that cannot be one is none.
   *
   * @throws MalformedPriorityException if the field is present and its priority malformed, or its
   *     target
   */
  public static Hint read(Message message) throws MalformedPriorityException {
    UnknownFieldSet unknown = message.getUnknownFields();
    if (!unknown.hasField(NUMBER)) {
      return Hint.NOTHING;
    }
    List<ByteString> contents = unknown.getField(NUMBER).getLengthDelimitedList();
    if (contents.isEmpty()) {
      throw new MalformedPriorityException("field " + NUMBER + " has the wrong wire type");
    }
    ByteString content = contents.get(contents.size() - 1);
    Hint known = CONTENTS.get(content);
    return known == null ? decode(content) : known;
  }

  private static ByteString encode(Hint hint) {
    UnknownFieldSet.Builder content = UnknownFieldSet.newBuilder();
    IoRole role = hint.role();
    if (hint.priority() != null) {
      encode(hint.priority(), content);
    } else if (role == null) {
      // A role without a class is a request without a priority, also to those who know no tenants.
      role = IoRole.UNKNOWN;
    }
    if (role != null) {
      content.mergeVarintField(ROLE, role.code());
    }
    if (hint.following() != 0) {
      content.mergeVarintField(FOLLOWING, hint.following());
    }
    if (hint.mayRefuse()) {
      content.mergeVarintField(MAY_REFUSE, 1);
    }
    if (hint.patienceMillis() != 0) {
      content.mergeVarintField(PATIENCE, hint.patienceMillis());
    }
    if (hint.tenant() != null) {
      ByteString name = ByteString.copyFromUtf8(hint.tenant());
      content.mergeField(TENANT, field(name));
    }
    return content.build().toByteString();
  }

  private static void encode(IoPriority priority, UnknownFieldSet.Builder content) {
    content.mergeVarintField(CLASS, priority.ioClass().code());
    if (priority.level() != 0) {
      content.mergeVarintField(LEVEL, priority.level());
    }
    if (priority.hasTarget()) {
      content.mergeVarintField(TARGET, priority.targetMillis());
    }
  }

  private static Hint decode(ByteString content) throws MalformedPriorityException {
    UnknownFieldSet fields;
    try {
      fields = UnknownFieldSet.parseFrom(content);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedPriorityException("content is not a protobuf message");
    }
    IoRole role = role(fields);
    String tenant = tenant(fields);
    boolean isStated = fields.hasField(CLASS) || fields.hasField(LEVEL);
    boolean hasTenant = fields.hasField(TENANT);
    if (!isStated && (role != null || hasTenant)) {
      IoRole said = role == IoRole.UNKNOWN && hasTenant ? null : role;
      return Hint.of(null, said).ofTenant(tenant).patientFor(patienceMillis(fields));
    }
    Hint hint =
        Hint.of(priority(fields), role)
            .ofTenant(tenant)
            .followedBy(following(fields))
            .patientFor(patienceMillis(fields));
    return mayRefuse(fields) ? hint.refusable() : hint;
  }

  /** What cannot be the name of a tenant names none. */
  private static String tenant(UnknownFieldSet fields) {
    List<ByteString> values = fields.getField(TENANT).getLengthDelimitedList();
    ByteString last = values.isEmpty() ? ByteString.EMPTY : values.get(values.size() - 1);
    String name = last.size() > Tenant.MAX_NAME ? "" : last.toStringUtf8();
    return Tenant.isName(name) ? name : null;
  }

  /** What cannot be read is no consent. */
  private static boolean mayRefuse(UnknownFieldSet fields) {
    List<Long> values = fields.getField(MAY_REFUSE).getVarintList();
    return !values.isEmpty() && values.get(values.size() - 1) == 1;
  }

  /** A guess of the sender; one that cannot be read is none. */
  private static int following(UnknownFieldSet fields) {
    List<Long> values = fields.getField(FOLLOWING).getVarintList();
    long last = values.isEmpty() ? 0 : values.get(values.size() - 1);
    return (int) Math.max(0, Math.min(last, Hint.MOST_FOLLOWING));
  }

  /** One that cannot be read is not said. */
  private static int patienceMillis(UnknownFieldSet fields) {
    List<Long> values = fields.getField(PATIENCE).getVarintList();
    long last = values.isEmpty() ? 0 : values.get(values.size() - 1);
    return (int) Math.max(0, Math.min(last, Hint.ENOUGH_PATIENCE_MILLIS));
  }

  private static IoRole role(UnknownFieldSet fields) {
    if (!fields.hasField(ROLE)) {
      return null;
    }
    List<Long> values = fields.getField(ROLE).getVarintList();
    return values.isEmpty() ? IoRole.UNKNOWN : IoRole.fromCode(values.get(values.size() - 1));
  }

  private static IoPriority priority(UnknownFieldSet fields) throws MalformedPriorityException {
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
    return fields.hasField(TARGET) ? within(priority, lastVarint(fields, TARGET, 0)) : priority;
  }

  private static IoPriority within(IoPriority priority, long target)
      throws MalformedPriorityException {
    if (!IoPriority.isTarget(target) || !priority.ioClass().hasLevels()) {
      throw new MalformedPriorityException(
          "latency target " + target + " ms of class " + priority.ioClass().shortName());
    }
    return priority.within((int) target);
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
