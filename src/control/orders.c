#include "control/orders.h"
