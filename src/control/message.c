#include "control/message.h"
