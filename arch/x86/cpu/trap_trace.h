/* SPDX-License-Identifier: BSD-2-Clause */
/* trap_trace.h - tracepoints of interrupts and NMIs, by Linux's names and fields. */
#ifndef ARCH_X86_CPU_TRAP_TRACE_H
#define ARCH_X86_CPU_TRAP_TRACE_H

#include "lib/trace.h"

TRACE_EVENT(irq, irq_handler_entry, TRACE_PROTO(int32_t irq, const char *name),
	    TRACE_STRUCT(field(int32_t, irq), string(name)),
	    TRACE_ASSIGN(entry->irq = irq; trace_string(&hit, &entry->name, name);),
	    TRACE_PRINT("irq=%d name=%s", REC->irq, __get_str(name)))

TRACE_EVENT(irq, irq_handler_exit, TRACE_PROTO(int32_t irq, bool handled),
	    TRACE_STRUCT(field(int32_t, irq), field(int32_t, ret)),
	    TRACE_ASSIGN(entry->irq = irq; entry->ret = handled;),
	    TRACE_PRINT("irq=%d ret=%s", REC->irq, REC->ret ? "handled" : "unhandled"))

TRACE_EVENT(nmi, nmi_handler, TRACE_PROTO(const void *handler, uint64_t delta_ns, bool handled),
	    TRACE_STRUCT(field(uint64_t, handler), field(int64_t, delta_ns),
			 field(int32_t, handled)),
	    TRACE_ASSIGN(entry->handler = (uintptr_t)handler; entry->delta_ns = (int64_t)delta_ns;
			 entry->handled = handled;),
	    TRACE_PRINT("handler=0x%lx delta_ns: %ld handled: %d", REC->handler, REC->delta_ns,
			REC->handled))

TRACE_EVENT(exceptions, page_fault_user,
	    TRACE_PROTO(uint64_t address, uint64_t ip, uint64_t error_code),
	    TRACE_STRUCT(field(uint64_t, address), field(uint64_t, ip),
			 field(uint64_t, error_code)),
	    TRACE_ASSIGN(entry->address = address; entry->ip = ip; entry->error_code = error_code;
			 hit.addr = address;),
	    TRACE_PRINT("address=0x%lx ip=0x%lx error_code=0x%lx", REC->address, REC->ip,
			REC->error_code))

#endif
