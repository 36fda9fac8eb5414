#include <vector>

#include "backsweep.hpp"

int main()
{
    const std::vector<double> x{1, 2, 3};
    auto norm = [](const std::vector<double> &v) {
        double sum = 0;
        for (double e : v)
            sum += e * e;
        return sum;
    };
    return backsweep::gradient(norm, x) != std::vector<double>{2, 4, 6};
}
