#include "control/facts.h"
