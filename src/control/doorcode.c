#include "control/doorcode.h"
