#include "control/request.h"
