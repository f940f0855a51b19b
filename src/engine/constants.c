#include "engine/constants.h"
