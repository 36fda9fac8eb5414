int slope_of_cube(void);
int main(void) { return slope_of_cube(); }
