/* Random loops, with arrays that may overlap: all strategies together give what none of them gives, and what the tangent says.
 * The programs are made from a seed by Inputs/random/generate.py; `make fuzz` makes others. */
// RUN: env BACKSWEEP_BUILD=%release BACKSWEEP_CLANG=%clang python3 %S/Inputs/random/run.py --seed 1 --files 5 --each 12 --keep %t.programs
