#include "agent/instrumenter.h"
