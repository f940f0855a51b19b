/*
 * runtimeclass.h - java.lang.CjfrRuntime, compiled: src/runtime, which src/embed has made
 * into C. A class file for JDK 8, one for later JDKs.
 */
#ifndef AGENT_RUNTIMECLASS_H
#define AGENT_RUNTIMECLASS_H

#include "base/str.h"

extern const struct str own_runtime8, own_runtime9;

#endif
