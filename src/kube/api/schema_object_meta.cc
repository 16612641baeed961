#include "kube/api/schema_object_meta.h"

#include "kube/api/schema_build.h"

namespace millwright::kube {

namespace {

// Go writes a time that is not set as null.
Schema Time() {
  Schema time = StringSchema("date-time");
  time.nullable = true;
  return time;
}

Schema OwnerReferences() {
  // An item is replaced whole: half of one owner and half of another would point nowhere.
  const Schema owner = Atomic(ObjectSchema({{"apiVersion", StringSchema()},
                                            {"blockOwnerDeletion", BooleanSchema()},
                                            {"controller", BooleanSchema()},
                                            {"kind", StringSchema()},
                                            {"name", StringSchema()},
                                            {"uid", StringSchema()}}));
  return ListMapSchema(Requiring(owner, {"apiVersion", "kind", "name", "uid"}), {"uid"});
}

Schema ManagedFieldsEntries() {
  return ListSchema(ObjectSchema({{"apiVersion", StringSchema()},
                                  {"fieldsType", StringSchema()},
                                  {"fieldsV1", OpaqueSchema()},
                                  {"manager", StringSchema()},
                                  {"operation", StringSchema()},
                                  {"subresource", StringSchema()},
                                  {"time", StringSchema("date-time")}}));
}

}  // namespace

const Schema& ObjectMetaSchema() {
  static const Schema kSchema = ObjectSchema({
      {"annotations", MapSchema(StringSchema())},
      {"creationTimestamp", Time()},
      {"deletionGracePeriodSeconds", IntegerSchema()},
      {"deletionTimestamp", Time()},
      {"finalizers", SetSchema(StringSchema())},
      {"generateName", StringSchema()},
      {"generation", IntegerSchema()},
      {"labels", MapSchema(StringSchema())},
      {"managedFields", ManagedFieldsEntries()},
      {"name", StringSchema()},
      {"namespace", StringSchema()},
      {"ownerReferences", OwnerReferences()},
      {"resourceVersion", StringSchema()},
      {"selfLink", StringSchema()},
      {"uid", StringSchema()},
  });
  return kSchema;
}

const Schema& TypeMetaSchema() {
  static const Schema kSchema = StringSchema();
  return kSchema;
}

}  // namespace millwright::kube
