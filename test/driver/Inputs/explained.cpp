namespace model {
template <class T> T energy(const T *x, int n)
{
    T sum = 0;
    for (int i = 0; i + 1 < n; i++)
        sum += (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
    return sum;
}
template double energy(const double *, int);
}
