/* pointers.run.cpp: Function pointers, virtual calls and std::function under the sanitizers. */
// RUN: %sanitized %t %clangxx %include %pass %s %runtime
#include "../modes/pointers.run.cpp"
