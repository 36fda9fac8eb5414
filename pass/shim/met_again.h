// Numbers that a loop loads and has loaded in the pass before: see `met_again.cpp`.
#pragma once

namespace llvm {
class AAResults;
class Loop;
class ScalarEvolution;
} // namespace llvm

// Whether a loop of one block loads what it has loaded in the pass before, as far as nobody writes there.
bool meetsAgain(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

// Hands such numbers on from pass to pass, where nobody writes there. Returns whether there were any.
bool handOnWhatIsMetAgain(llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::AAResults &aliases);
