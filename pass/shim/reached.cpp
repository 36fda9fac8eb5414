// What belongs to the requests of a module: whoever names a hook, and all that he names, that this names, and so on.
//
// What a function does to memory that none of those can name or call is done for other memory, or by another file, of which nothing is
// known either.
#include "reached.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isHook(const GlobalValue &value) {
  return value.getName().contains("__backsweep_") || value.getName().contains("__enzyme_");
}

SmallVector<const Function *, 0> backsweep::functionsReached(const Module &module) {
  SmallSetVector<const Value *, 32> known;
  for (const GlobalValue &value : module.global_values())
    if (isHook(value))
      known.insert(&value);
  // Who names a hook asks.
  for (unsigned at = 0; at < known.size(); ++at)
    for (const User *user : known[at]->users())
      if (auto *inst = dyn_cast<Instruction>(user))
        known.insert(inst->getFunction());
      else if (!isa<Function>(user))
        known.insert(user);
  for (unsigned at = 0; at < known.size(); ++at) {
    auto add = [&](const User &user) {
      for (const Value *used : user.operand_values())
        if (isa<Constant>(used))
          known.insert(used);
    };
    add(*cast<User>(known[at]));
    if (auto *function = dyn_cast<Function>(known[at]))
      for (const Instruction &inst : instructions(*function))
        add(inst);
  }
  SmallVector<const Function *, 0> reached;
  for (const Function &function : module)
    if (!function.isDeclaration() && (known.empty() || known.contains(&function)))
      reached.push_back(&function);
  return reached;
}
