// Loops of derivatives inside of one that runs towards the front: see `within.cpp`.
#pragma once

namespace llvm {
class Loop;
class LoopAccessInfoManager;
class ScalarEvolution;
} // namespace llvm

// Has the vectoriser test whether arrays are apart where the loop is entered, if it could not in front of the loop around it.
bool testWithin(llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::LoopAccessInfoManager &accesses);
