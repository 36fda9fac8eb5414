// Of which class the object of a virtual call is declared to be, and which functions belong to it or to a class that extends it.
//
// clang says of each pointer that is loaded what it leads to, by the type that tells accesses apart, and with debug information what a
// variable was declared as. Which class extends which is in the tables that exceptions and `dynamic_cast` look into. Hierarchies that have
// nothing to do with each other are then told apart, though their functions take the same and stand at the same places.
#include "classes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

constexpr char ClassMark[] = "backsweep.class";
constexpr char SizesMark[] = "backsweep.sizes";
constexpr StringRef TypeName = "_ZTS", TypeInfo = "_ZTI";

// What an access is of, by the type that the front end gives it.
StringRef accessedType(const Instruction &access) {
  const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  auto *type = tag && tag->getNumOperands() > 1 ? dyn_cast<MDNode>(tag->getOperand(1)) : nullptr;
  auto *name = type && type->getNumOperands() ? dyn_cast<MDString>(type->getOperand(0)) : nullptr;
  return name ? name->getString() : "";
}

// The class that a variable points or refers to, by its declaration.
StringRef declaredClass(const DILocalVariable &variable) {
  const DIType *type = variable.getType();
  for (bool behind = false; type;) {
    auto *derived = dyn_cast<DIDerivedType>(type);
    if (!derived) {
      auto *whole = dyn_cast<DICompositeType>(type);
      return behind && whole ? whole->getIdentifier() : "";
    }
    bool leads = is_contained({dwarf::DW_TAG_pointer_type, dwarf::DW_TAG_reference_type}, derived->getTag());
    bool names = is_contained({dwarf::DW_TAG_const_type, dwarf::DW_TAG_typedef}, derived->getTag());
    if (behind ? !names : !leads && !names)
      return "";
    behind |= leads;
    type = derived->getBaseType();
  }
  return "";
}

// The name of the class that a pointer which was loaded leads to; empty where nobody says it.
StringRef classBehind(const Value *object) {
  auto *load = dyn_cast<LoadInst>(object);
  if (!load)
    return "";
  StringRef name = accessedType(*load);
  if (name.consume_front("p1 ") && name.consume_front(TypeName))
    return name;
  auto *slot = dyn_cast<AllocaInst>(load->getPointerOperand());
  for (const DbgVariableRecord *record : slot ? findDVRDeclares(const_cast<AllocaInst *>(slot)) : TinyPtrVector<DbgVariableRecord *>())
    if (StringRef declared = declaredClass(*record->getVariable()); declared.consume_front(TypeName))
      return declared;
  return "";
}

// The object of a call of which the function was found in a table that the object points to.
const Value *objectOf(const CallBase &call) {
  auto *function = dyn_cast<LoadInst>(call.getCalledOperand());
  const Value *place = function ? function->getPointerOperand()->stripInBoundsConstantOffsets() : nullptr;
  auto *table = dyn_cast_or_null<LoadInst>(place);
  unsigned receiver = call.hasStructRetAttr() ? 1 : 0;
  bool isVirtual = table && call.arg_size() > receiver && call.getArgOperand(receiver) == table->getPointerOperand();
  return isVirtual ? table->getPointerOperand() : nullptr;
}

StringRef classOf(const CallBase &call) {
  if (const MDNode *mark = call.getMetadata(ClassMark))
    return cast<MDString>(mark->getOperand(0))->getString();
  const Value *object = objectOf(call);
  return object ? classBehind(object) : "";
}

// Names of what is the file's own end differently where files were put together.
StringRef plainName(StringRef name) { return name.split('.').first; }

// Whether a class is another or extends it. Of one that is described elsewhere it is not known.
bool isOrExtends(const GlobalVariable &info, StringRef other, SmallPtrSetImpl<const GlobalVariable *> &seen) {
  StringRef name = plainName(info.getName());
  if ((name.consume_front(TypeInfo) && name == other) || !info.hasInitializer())
    return true;
  return seen.insert(&info).second && any_of(info.getInitializer()->operands(), [&](const Use &part) {
    auto *base = dyn_cast<GlobalVariable>(part);
    return base && base->getName().starts_with(TypeInfo) && isOrExtends(*base, other, seen);
  });
}

// Whether a table of virtual functions may be that of a class or of one that extends it: it says of which class it is.
bool isTableOf(const ConstantArray &table, StringRef other) {
  for (const Use &part : table.operands())
    if (auto *info = dyn_cast<GlobalVariable>(part); info && info->getName().starts_with(TypeInfo)) {
      SmallPtrSet<const GlobalVariable *, 8> seen;
      return isOrExtends(*info, other, seen);
    }
  return true;
}

bool isInVirtualTable(const Constant &part) {
  return any_of(part.users(), [](const User *user) {
    auto *whole = dyn_cast<Constant>(user);
    auto *table = dyn_cast<GlobalVariable>(user);
    bool isNamed = table && (table->getName().starts_with("_ZTV") || table->getName().starts_with("_ZTC"));
    return isNamed || (whole && isa<ConstantAggregate>(whole) && isInVirtualTable(*whole));
  });
}

// Whether a function is a virtual one of such a class, or of any where none is named.
bool isFunctionOf(const GlobalValue &function, StringRef other) {
  return any_of(function.users(), [&](const User *user) {
    if (auto *name = dyn_cast<GlobalAlias>(user))
      return isFunctionOf(*name, other);
    auto *table = dyn_cast<ConstantArray>(user);
    return table && isInVirtualTable(*table) && (other.empty() || isTableOf(*table, other));
  });
}

} // namespace

void describeCall(CallBase &call, bool asWritten) {
  if (!call.isIndirectCall())
    return;
  LLVMContext &context = call.getContext();
  if (StringRef name = classOf(call); !name.empty())
    call.setMetadata(ClassMark, MDNode::get(context, MDString::get(context, plainName(name))));
  if (!asWritten)
    return;
  SmallVector<Metadata *, 4> sizes;
  for (unsigned at = 0; at < call.arg_size(); ++at) {
    uint64_t bytes = call.getAttributes().getParamDereferenceableBytes(at);
    sizes.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), bytes)));
  }
  call.setMetadata(SizesMark, MDNode::get(context, sizes));
}

// A reference says how large an object of its type is, and all that override one virtual function take the same, but for the object that they
// belong to. Optimisers know of larger objects that are handed over, so later only a smaller one tells.
bool takesOthers(const Function &function, const CallBase &call) {
  const MDNode *sizes = call.getMetadata(SizesMark);
  unsigned receiver = call.hasStructRetAttr() ? 1 : 0;
  for (unsigned at = receiver + 1; at < call.arg_size(); ++at) {
    bool isWritten = sizes && at < sizes->getNumOperands();
    uint64_t given = isWritten ? mdconst::extract<ConstantInt>(sizes->getOperand(at))->getZExtValue()
                               : call.getAttributes().getParamDereferenceableBytes(at);
    uint64_t taken = function.getAttributes().getParamDereferenceableBytes(at);
    if (given && taken && (isWritten ? given != taken : given < taken))
      return true;
  }
  return false;
}

// Whether clang says of a call that it finds its function in a class's table.
static bool isVirtual(const CallBase &call) {
  const Value *object = objectOf(call);
  return object && any_of(object->users(), [](const User *user) {
    auto *load = dyn_cast<LoadInst>(user);
    return load && accessedType(*load) == "vtable pointer";
  });
}

void keepOfClass(const CallBase &call, SmallVectorImpl<Function *> &targets) {
  if (isVirtual(call))
    erase_if(targets, [](const Function *target) { return !isFunctionOf(*target, ""); });
  StringRef name = plainName(classOf(call));
  auto isOfClass = [&](const Function *target) { return isFunctionOf(*target, name); };
  // What a class that is none of these holds at its beginning may be an object of another.
  if (!name.empty() && any_of(targets, isOfClass))
    erase_if(targets, [&](const Function *target) { return !isOfClass(target); });
}
