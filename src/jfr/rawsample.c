#include "jfr/rawsample.h"
