#include "jfr/methodnote.h"
