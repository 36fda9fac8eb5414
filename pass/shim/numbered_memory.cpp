// Memory that the whole module, as the front end has written it, touches as integers of one size and as nothing else.
//
// A pointer has no type of its own, and an integer may be the bits of a float; but where everyone who may have a pointer to some
// memory reads and writes integers there, and nothing is moved between it and memory of which less is known, it holds integers. Memory
// is told apart as coarsely as is safe and cheap: what pointers may lead to together is one class, whatever calls bring them there, and
// a member of a struct is one place in all objects of that struct (Steensgaard's analysis, by fields).
// Safe error: a class holds something else, or somebody out of sight has a pointer to it.
//
// Accesses of such memory are marked like those of members that are declared to be integers, and copies of it like those of arrays
// that are stepped through.

#include "memory_classes.h"
#include "record.h"
#include "shim.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;
using namespace backsweep;

namespace {

// An address that is computed with for longer is one that is used as such.
constexpr unsigned MostSteps = 4;

// Who gives memory that nobody else knows, and who takes it back.
bool makesMemory(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"malloc", "calloc", "aligned_alloc", "memalign", "valloc"}, true)
      .Cases({"_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"}, true)
      .Cases({"_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"}, true)
      .Default(false);
}

bool keepsNothing(StringRef name) {
  return name == "free" || name == "memcmp" || name == "bcmp" || name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv");
}

// The library's own parts of trees and lists: they tie nodes to nodes.
bool tiesNodes(StringRef name) {
  return name.starts_with("_ZSt18_Rb_tree_") || name.starts_with("_ZSt28_Rb_tree_") || name.starts_with("_ZSt29_Rb_tree_") ||
         name.starts_with("_ZNSt8__detail15_List_node_base");
}

bool saysNothing(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::assume:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::memset:
  case Intrinsic::prefetch:
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
  case Intrinsic::eh_typeid_for:
  case Intrinsic::objectsize:
  case Intrinsic::is_constant:
    return true;
  default:
    return false;
  }
}

class Memory : MemoryClasses {
 public:
  explicit Memory(Module &module) : MemoryClasses(module.getDataLayout()), module(module), layout(module.getDataLayout()) {}

  void read() {
    hasSingles = any_of(module, [](Function &function) {
      return any_of(instructions(function), [](Instruction &inst) {
        return any_of(inst.operands(), [](const Use &one) { return one->getType()->getScalarType()->isFloatTy(); }) ||
               inst.getType()->getScalarType()->isFloatTy();
      });
    });
    for (GlobalVariable &global : module.globals())
      readGlobal(global);
    for (Function &function : module)
      if (!isOurs(function))
        readFunction(function);
    settle();
  }

  // Whether a pointer leads to integers of this size and to nothing else.
  bool holdsNumbers(const Value *pointer, Type *type) {
    auto known = classes.find(pointer);
    if (known == classes.end())
      return false;
    const Content &content = contents[find(known->second)];
    if (content.other || content.open || !content.touched || (type && content.touched != type))
      return false;
    return !content.numbers || !at(*content.numbers).suspect;
  }

  static bool isOurs(const Function &function) { return function.isDeclaration() || function.getName().starts_with("backsweep."); }

 private:
  Module &module;
  const DataLayout &layout;
  // Floats of four bytes occur.
  bool hasSingles = false;
  DenseMap<const Value *, Class> classes, numbers;
  // Of structs that are values, each pointer by its number.
  DenseMap<std::pair<const Value *, unsigned>, Class> parts;
  // What functions return, as if it were one value that is named by the function.
  DenseMap<const Function *, Value *> results;

  Class of(const Value *pointer) {
    auto [entry, isNew] = classes.try_emplace(pointer, 0);
    if (!isNew)
      return entry->second;
    Class made = make();
    classes[pointer] = made;
    if (auto *expression = dyn_cast<ConstantExpr>(pointer)) {
      if (auto *step = dyn_cast<GEPOperator>(expression))
        readStep(*step);
      else
        contents[made].open = true;
    }
    return made;
  }

  Class numberOf(const Value *number) {
    auto [entry, isNew] = numbers.try_emplace(number, 0);
    return isNew ? numbers[number] = make() : entry->second;
  }

  // Of an array all elements are one.
  Class ofPart(const Value *whole, unsigned at) {
    at = whole->getType()->isArrayTy() ? 0 : at;
    auto [entry, isNew] = parts.try_emplace({whole, at}, 0);
    return isNew ? parts[{whole, at}] = make() : entry->second;
  }

  // The parts of a struct that are pointers, or hold some.
  static SmallVector<unsigned, 4> pointersIn(const Type *whole) {
    SmallVector<unsigned, 4> found;
    for (auto [at, part] : enumerate(whole->subtypes()))
      if (holdsPointer(part))
        found.push_back(at);
    return found;
  }

  void open(const Value *pointer) {
    if (!pointer->getType()->isAggregateType())
      at(of(pointer)).open = true;
    else
      for (unsigned part : pointersIn(pointer->getType()))
        at(ofPart(pointer, part)).open = true;
  }

  // Two values are one, or one is brought to the other.
  void meet(const Value *one, const Value *other) {
    if (isa<ConstantData>(one) || isa<ConstantData>(other))
      return;
    if (one->getType()->isAggregateType())
      for (unsigned part : pointersIn(one->getType()))
        join(ofPart(one, part), ofPart(other, part));
    else if (holdsPointer(one->getType()))
      join(of(one), of(other));
    else if (isWide(one->getType()))
      join(numberOf(one), numberOf(other));
  }

  // The first value that is known to be returned stands for all.
  void meetResult(Function *function, Value *value) {
    if (isa<ConstantData>(value))
      return;
    auto [entry, isNew] = results.try_emplace(function, value);
    if (!isNew)
      meet(entry->second, value);
  }

  // What is named in an initial value may be found from there.
  void openNamed(const Constant *constant, SmallPtrSetImpl<const Constant *> &seen) {
    if (!seen.insert(constant).second)
      return;
    if (constant->getType()->isPointerTy() && !isa<ConstantData>(constant))
      open(constant);
    if (!isa<GlobalValue>(constant))
      for (const Use &part : constant->operands())
        if (auto *inner = dyn_cast<Constant>(part.get()))
          openNamed(inner, seen);
  }

  void readGlobal(GlobalVariable &global) {
    touch(of(&global), global.getValueType());
    SmallPtrSet<const Constant *, 8> seen;
    if (global.hasInitializer())
      openNamed(global.getInitializer(), seen);
    if (!global.hasLocalLinkage() && !global.isConstant())
      open(&global);
  }

  void readFunction(Function &function) {
    // Who calls it from outside, or by its address, may give anything, and do anything with what it returns.
    bool known = function.hasLocalLinkage() || function.hasLinkOnceLinkage() || function.hasWeakLinkage();
    bool isOpen = !known || function.hasAddressTaken();
    if (isOpen)
      for (Argument &argument : function.args())
        if (holdsPointer(argument.getType()))
          open(&argument);
    for (Instruction &inst : instructions(function))
      readInst(inst);
    auto result = results.find(&function);
    if (isOpen && result != results.end() && holdsPointer(result->second->getType()))
      open(result->second);
  }

  void readInst(Instruction &inst) {
    if (auto *slot = dyn_cast<AllocaInst>(&inst))
      return touch(of(slot), slot->getAllocatedType());
    if (auto *step = dyn_cast<GEPOperator>(&inst))
      return readStep(*step);
    if (auto *load = dyn_cast<LoadInst>(&inst))
      return readAccess(load, load->getPointerOperand());
    if (auto *store = dyn_cast<StoreInst>(&inst))
      return readAccess(store->getValueOperand(), store->getPointerOperand());
    if (auto *call = dyn_cast<CallBase>(&inst))
      return readCall(*call);
    if (isa<PHINode>(inst) || isa<FreezeInst>(inst) || isa<AddrSpaceCastInst>(inst))
      for (Value *one : inst.operands())
        meet(&inst, one);
    else if (auto *select = dyn_cast<SelectInst>(&inst))
      meet(select, select->getTrueValue()), meet(select, select->getFalseValue());
    else if (isa<ExtractValueInst>(inst) || isa<InsertValueInst>(inst))
      readParts(inst);
    else if (isa<TruncInst>(inst) || inst.isShift())
      meetNumber(inst, inst.getOperand(0));
    else if (auto *back = dyn_cast<ReturnInst>(&inst); back && back->getReturnValue())
      meetResult(inst.getFunction(), back->getReturnValue());
    else if (!isa<ICmpInst>(inst) && !isa<ReturnInst>(inst))
      readOther(inst);
  }

  // A part of a float's bits is as good as all of them.
  void meetNumber(Instruction &part, Value *whole) {
    if (!isa<ConstantData>(whole) && isWide(part.getType()) && isWide(whole->getType()))
      join(numberOf(&part), numberOf(whole));
  }

  // Eight bytes of a struct with a float of four in it are passed as an integer.
  void readParts(Instruction &inst) {
    auto meetPart = [&](const Value *whole, unsigned part, const Value *one) {
      if (!isa<ConstantData>(one) && one->getType()->isPtrOrPtrVectorTy())
        join(ofPart(whole, part), of(one));
      // A struct in a struct is taken for any of it.
      else if (!isa<ConstantData>(one) && one->getType()->isAggregateType())
        for (unsigned inner : pointersIn(one->getType()))
          join(ofPart(whole, part), ofPart(one, inner));
    };
    if (auto *taken = dyn_cast<ExtractValueInst>(&inst)) {
      if (!isa<ConstantData>(taken->getAggregateOperand()))
        meetPart(taken->getAggregateOperand(), taken->getIndices().front(), taken);
    } else if (auto *put = dyn_cast<InsertValueInst>(&inst)) {
      meet(put, put->getAggregateOperand());
      meetPart(put, put->getIndices().front(), put->getInsertedValueOperand());
    }
    for (Value *one : {&static_cast<Value &>(inst), inst.getOperand(inst.getNumOperands() - 1)})
      if (hasSingles && !isa<ConstantData>(one) && one->getType()->isIntegerTy(64))
        suspect(one);
  }

  void suspect(const Value *number) { at(numberOf(number)).suspect = true; }

  // Whether an address becomes nothing but distances and answers, as where alignments and bounds are checked.
  static bool isOnlyLookedAt(const Value &address, unsigned steps) {
    return all_of(address.users(), [steps](const User *user) {
      if (auto *call = dyn_cast<CallBase>(user))
        return call->getCalledFunction() && call->getCalledFunction()->isDeclaration();
      auto *operation = dyn_cast<BinaryOperator>(user);
      if (!operation || steps == 0)
        return isa<ICmpInst>(user);
      bool isDistance = operation->getOpcode() == Instruction::Sub && !isa<ConstantInt>(operation->getOperand(1));
      return isDistance || isOnlyLookedAt(*operation, steps - 1);
    });
  }

  // Pointers and integers that are put together, taken apart, or made of each other.
  void readOther(Instruction &inst) {
    auto *address = dyn_cast<PtrToIntInst>(&inst);
    if (address && isOnlyLookedAt(*address, MostSteps))
      return;
    bool packs = isa<ExtractElementInst>(inst) || isa<InsertElementInst>(inst) || isa<ShuffleVectorInst>(inst);
    SmallVector<Value *, 4> all(inst.operands());
    all.push_back(&inst);
    for (Value *value : all) {
      if (isa<ConstantData>(value))
        continue;
      if (holdsPointer(value->getType()))
        open(value);
      // Of arithmetic nothing comes out that went in.
      else if ((packs || address || isa<IntToPtrInst>(inst) || isa<BitCastInst>(inst) || inst.isAtomic()) && isWide(value->getType()))
        suspect(value);
    }
    if (inst.isAtomic())
      for (Value *value : all)
        if (value->getType()->isPointerTy() && !isa<ConstantData>(value))
          at(of(value)).other = at(of(value)).suspect = true;
  }

  void readStep(const GEPOperator &step) {
    const Value *base = step.getPointerOperand();
    if (isa<ConstantData>(base))
      return open(&step);
    StructType *last = nullptr;
    unsigned field = 0;
    for (auto at = gep_type_begin(step), end = gep_type_end(step); at != end; ++at)
      if (StructType *structure = at.getStructTypeOrNull())
        last = structure, field = cast<ConstantInt>(at.getOperand())->getZExtValue();
    Type *source = step.getSourceElementType();
    if (!source->isIntegerTy(8))
      touch(of(base), source);
    if (!last)
      return join(of(&step), of(base));
    // A type without a name is made up to pass a struct in registers, by its eight bytes.
    if (last->isLiteral()) {
      at(of(&step)).other = true;
      at(of(&step)).suspect |= hasSingles;
      APInt offset(layout.getIndexTypeSizeInBits(step.getType()), 0);
      bool known = step.accumulateConstantOffset(layout, offset);
      Class behind = known ? behindAt(of(base), offset.getZExtValue() % layout.getTypeAllocSize(source).getFixedValue()) : part(of(base), &Content::behind);
      return join(part(of(&step), &Content::behind), behind);
    }
    at(of(base)).structs.insert(last);
    join(of(&step), ofMember(last, field));
    // What lies over something else is touched as anything.
    if (!isOfFrontEnd(last)) {
      join(of(&step), of(base));
      at(of(base)).other = at(of(base)).suspect = true;
    }
  }

  void readAccess(Value *value, Value *pointer) {
    if (isa<ConstantData>(pointer))
      return;
    Type *type = value->getType();
    touch(of(pointer), type);
    if (isa<ConstantData>(value))
      return;
    if (auto *whole = dyn_cast<StructType>(type)) {
      for (unsigned at : pointersIn(whole))
        join(ofPart(value, at), behindAt(of(pointer), layout.getStructLayout(whole)->getElementOffset(at)));
    } else if (type->isArrayTy()) {
      for (unsigned at : pointersIn(type))
        join(ofPart(value, at), part(of(pointer), &Content::behind));
    } else if (holdsPointer(type))
      join(of(value), part(of(pointer), &Content::behind));
    else if (isWide(type))
      join(numberOf(value), part(of(pointer), &Content::numbers));
  }

  void tieNodes(CallBase &call) {
    std::optional<Class> nodes;
    auto tie = [&](Value *node) {
      if (!node->getType()->isPointerTy() || isa<ConstantData>(node))
        return;
      join(nodes.value_or(of(node)), of(node));
      nodes = of(node);
      join(*nodes, part(*nodes, &Content::behind));
    };
    tie(&call);
    for (Value *node : call.args())
      tie(node);
  }

  void readCall(CallBase &call) {
    if (auto *copy = dyn_cast<MemTransferInst>(&call))
      return meet(copy->getRawDest(), copy->getRawSource());
    auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    StringRef name = callee ? callee->getName() : "";
    if (auto id = call.getIntrinsicID(); id != Intrinsic::not_intrinsic && saysNothing(id))
      return;
    if (makesMemory(name))
      return void(of(&call));
    if (keepsNothing(name))
      return;
    if (name == "realloc")
      return meet(&call, call.getArgOperand(0));
    if (tiesNodes(name))
      return tieNodes(call);
    bool seen = callee && !isOurs(*callee) && callee->getFunctionType() == call.getFunctionType() && !callee->isVarArg();
    for (auto [at, argument] : enumerate(call.args())) {
      if (seen)
        meet(callee->getArg(at), argument);
      else if (holdsPointer(argument->getType()) && !isa<ConstantData>(argument))
        open(argument);
    }
    if (seen)
      meetResult(callee, &call);
    else if (holdsPointer(call.getType()))
      open(&call);
  }
};

}  // namespace

void bs_shim_mark_numbers(LLVMModuleRef reference) {
  Module &module = *unwrap(reference);
  Memory memory(module);
  memory.read();
  for (Function &function : module) {
    if (Memory::isOurs(function))
      continue;
    for (Instruction &inst : instructions(function)) {
      if (Value *pointer = getLoadStorePointerOperand(&inst)) {
        Type *scalar = getLoadStoreType(&inst)->getScalarType();
        if (isWide(scalar) && memory.holdsNumbers(pointer, scalar))
          inst.setMetadata("backsweep.integer", MDNode::get(inst.getContext(), {}));
      } else if (auto *write = dyn_cast<MemIntrinsic>(&inst)) {
        if (memory.holdsNumbers(write->getRawDest(), nullptr))
          write->addFnAttr(Attribute::get(inst.getContext(), "backsweep.integers"));
      }
    }
  }
}
