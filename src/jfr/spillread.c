#include "jfr/spillread.h"
