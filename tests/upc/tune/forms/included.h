/* Functions of another file than the program's. */
static inline unsigned turned(unsigned x, int by)
{
	return x << by | x >> (32 - by);
}
static inline unsigned mixed(unsigned x)
{
	for (int k = 0; k < 3; k++)
		x = turned(x * 2654435761u + (k ? 7 : 1), 5 + k);
	return x ^ x >> 15;
}
static double halved(double x)
{
	return x < 0 ? -halved(-x) : x / 2;
}
