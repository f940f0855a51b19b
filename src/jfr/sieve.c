#include "jfr/sieve.h"
