#include "salvage/salvage.h"
