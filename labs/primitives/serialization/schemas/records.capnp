# The records of serialization_records.hpp.
@0xd2f0a1c64b7e9835;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("assay::primitives::cp");

struct Mutation {
  type @0 :UInt32;
  param1 @1 :Data;
  param2 @2 :Data;
}

struct Batch {
  version @0 :UInt64;
  mutations @1 :List(Mutation);
}

struct Address {
  street @0 :Text;
  city @1 :Text;
  postcode @2 :UInt32;
}

struct Attribute {
  key @0 :Text;
  value @1 :Text;
}

struct Item {
  sku @0 :Text;
  count @1 :UInt32;
  price @2 :Float64;
  attributes @3 :List(Attribute);
}

struct Order {
  id @0 :UInt64;
  placedAtS @1 :Float64;
  customer @2 :Text;
  address @3 :Address;
  tags @4 :List(Text);
  items @5 :List(Item);
}
