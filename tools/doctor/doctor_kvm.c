// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_kvm.c - see doctor_kvm.h. Sources: Linux's Documentation/virt/kvm/, the parameters of its
 * modules kvm, kvm_intel and kvm_amd, and Documentation/admin-guide/sysctl/kernel.rst.
 */
#include "tools/doctor/doctor_kvm.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/doctor/doctor_host.h"
#include "tools/doctor/doctor_said.h"
#include "tools/util/buf.h"
#include "tools/util/status.h"

#define DEVICE     "/dev/kvm"
#define PARAMETER  "/sys/module/kvm/parameters/"
#define PMUS       "/sys/bus/event_source/devices/"
#define WATCHDOG   "/proc/sys/kernel/nmi_watchdog"
#define PARANOID   "/proc/sys/kernel/perf_event_paranoid"
#define HUGE_PAGES "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages"

/* KVM's module for the CPU. */
static const char *module_of(const struct host *host)
{
	return host->vendor == HOST_AMD ? "kvm_amd" : "kvm_intel";
}

/* Reads a parameter of that module, or of the module `kvm`. */
static bool parameter_text(const struct host *host, const char *module, const char *name,
			   char text[HOST_TEXT_MAX])
{
	struct buf path = {0};
	bool is_there;

	say(&path, "/sys/module/%s/parameters/%s", module, name);
	is_there = host_text(host, buf_text(&path), text);
	buf_free(&path);
	return is_there;
}

static bool is_off(const char *text)
{
	return *text == 'N' || *text == '0';
}

static bool has_two_kinds(const struct host *host)
{
	return host_has(host, PMUS "cpu_atom");
}

static bool is_mediated(const struct host *host)
{
	char text[HOST_TEXT_MAX];

	return parameter_text(host, module_of(host), "enable_mediated_pmu", text) && !is_off(text);
}

/* --- Checks --- */

static enum verdict check_brand(const struct host *host, struct said *said)
{
	say(&said->is, "%s", *host->brand ? host->brand : "unknown");
	if (host->vendor == HOST_OTHER) {
		say(&said->mend, "KVM has a PMU for guests on CPUs of Intel and AMD");
		return FAILS;
	}
	if (host->has_virtualization)
		return FINE;
	say(&said->is, ", without %s", host->vendor == HOST_AMD ? "SVM" : "VMX");
	say(&said->mend, host->is_guest
				 ? "the hypervisor of this machine has to allow nested guests"
				 : "the firmware's setup has to turn virtualization on");
	return FAILS;
}

static enum verdict check_hybrid(const struct host *host, struct said *said)
{
	if (!has_two_kinds(host)) {
		say(&said->is, "all of one kind");
		return FINE;
	}
	say(&said->is, "of two kinds: KVM turns the PMU of guests off on a hybrid CPU");
	say(&said->mend, "another machine; or a stick, which counts on both kinds: perf0 usb");
	return FAILS;
}

/* The first versions of Linux whose KVM has a PMU for guests. */
static enum verdict check_kernel(const struct host *host, struct said *said)
{
	const bool amd = host->vendor == HOST_AMD;
	const unsigned major = amd ? 4 : 3, minor = 3;

	if (!host->version[0]) {
		say(&said->is, "its version is not told");
		return NOTED;
	}
	say(&said->is, "Linux %s", host->kernel);
	if (!host_is_since(host, major, minor)) {
		say(&said->mend, "guests have a PMU from Linux %u.%u on", major, minor);
		return FAILS;
	}
	if (host_is_since(host, 5, 17))
		return FINE;
	say(&said->is, ": instructions that KVM emulates are not counted");
	say(&said->mend, "Linux 5.17 or later counts them");
	return NOTED;
}

static enum verdict check_guest(const struct host *host, struct said *said)
{
	if (!host->is_guest) {
		say(&said->is, "no: this is a machine of its own");
		return FINE;
	}
	say(&said->is, "yes: this host is a guest itself, and another hypervisor disturbs counts");
	say(&said->mend, "a machine of its own, as \"bare metal\" of a cloud");
	return NOTED;
}

static enum verdict check_host_pmu(const struct host *host, struct said *said)
{
	if (host_has(host, PMUS "cpu") || host_has(host, PMUS "cpu_core")) {
		say(&said->is, "the host's kernel has it");
		return FINE;
	}
	say(&said->is, "the host's kernel has none, so there is nothing to lend to guests");
	say(&said->mend, host->is_guest ? "the hypervisor of this machine has to show it a PMU"
					: "dmesg | grep -i 'performance events'");
	return FAILS;
}

static enum verdict check_device(const struct host *host, struct said *said)
{
	if (!host_has(host, DEVICE)) {
		say(&said->is, "is not there");
		say(&said->mend, "sudo modprobe %s", module_of(host));
		return FAILS;
	}
	if (!host_may(host, DEVICE)) {
		say(&said->is, "may not be opened by this user");
		say(&said->mend, "sudo usermod -aG kvm $USER, then log in anew");
		return FAILS;
	}
	say(&said->is, "can be opened");
	return FINE;
}

static enum verdict check_parameter(const struct host *host, struct said *said)
{
	char text[HOST_TEXT_MAX];

	if (!parameter_text(host, "kvm", "enable_pmu", text)) {
		say(&said->is, host_is_since(host, 5, 17) ? "not told" : "always on before 5.17");
		return host_is_since(host, 5, 17) ? NOTED : FINE;
	}
	say(&said->is, "%s", text);
	if (!is_off(text))
		return FINE;
	if (has_two_kinds(host))
		say(&said->mend, "nothing, on a hybrid CPU");
	else
		say(&said->mend,
		    "sudo modprobe -r %s kvm; sudo modprobe kvm enable_pmu=1; "
		    "sudo modprobe %s",
		    module_of(host), module_of(host));
	return FAILS;
}

static enum verdict check_mediated(const struct host *host, struct said *said)
{
	char text[HOST_TEXT_MAX];

	if (is_mediated(host)) {
		say(&said->is, "yes: a guest has the counters themselves while it runs");
		return FINE;
	}
	if (!parameter_text(host, module_of(host), "enable_mediated_pmu", text)) {
		say(&said->is, "no: each counter of a guest is an event of the host");
		return FINE;
	}
	say(&said->is,
	    "no, though this kernel can: each counter of a guest is an event of the host");
	say(&said->mend, "sudo modprobe -r %s; sudo modprobe %s enable_mediated_pmu=1",
	    module_of(host), module_of(host));
	return NOTED;
}

static enum verdict check_watchdog(const struct host *host, struct said *said)
{
	long on;

	if (!host_number(host, WATCHDOG, &on) || !on) {
		say(&said->is, "off");
		return FINE;
	}
	say(&said->is, is_mediated(host) ? "on: it holds a counter, and a mediated PMU is refused"
					 : "on: it holds a counter on each CPU");
	say(&said->mend, "echo 0 | sudo tee " WATCHDOG);
	return is_mediated(host) ? FAILS : NOTED;
}

static enum verdict check_paranoid(const struct host *host, struct said *said)
{
	const long most = 1;
	long level;

	if (!host_number(host, PARANOID, &level)) {
		say(&said->is, "not told: this kernel has no perf_event_open");
		return NOTED;
	}
	say(&said->is, "%ld", level);
	if (level <= most)
		return FINE;
	say(&said->is, ": guests count, but the host's own figures beside theirs need root");
	say(&said->mend, "echo %ld | sudo tee " PARANOID, most);
	return NOTED;
}

static enum verdict check_pages(const struct host *host, struct said *said)
{
	const long wanted = 128; /* 256 MiB, the memory of a machine */
	long n = 0;

	if (host_number(host, HUGE_PAGES, &n) && n >= wanted) {
		say(&said->is, "%ld of 2 MiB are free", n);
		return FINE;
	}
	say(&said->is, "%ld of 2 MiB are free: guests with small pages miss the TLB more often", n);
	say(&said->mend, "echo %ld | sudo tee /proc/sys/vm/nr_hugepages", wanted);
	return NOTED;
}

static const struct check {
	const char *title;
	enum verdict (*look)(const struct host *host, struct said *said);
} checks[] = {
	{"CPU", check_brand},
	{"cores", check_hybrid},
	{"kernel", check_kernel},
	{"nested", check_guest},
	{"PMU", check_host_pmu},
	{DEVICE, check_device},
	{"enable_pmu", check_parameter},
	{"mediated PMU", check_mediated},
	{"nmi_watchdog", check_watchdog},
	{"perf_event_paranoid", check_paranoid},
	{"huge pages", check_pages},
};
#define CHECKS (sizeof(checks) / sizeof(checks[0]))

static enum verdict print_check(struct said_list *list, const struct check *check,
				const struct host *host)
{
	struct said said = {0};
	const enum verdict verdict = check->look(host, &said);

	said_put(list, verdict, check->title, &said);
	return verdict;
}

int doctor_kvm(struct said_list *list, const char *root)
{
	struct host host;
	unsigned n[] = {[FINE] = 0, [NOTED] = 0, [FAILS] = 0};

	host_read(&host, root);
	for (size_t i = 0; i < CHECKS; i++)
		n[print_check(list, &checks[i], &host)]++;
	if (n[FAILS])
		printf("Guests of KVM can not count here: %u of %zu checks fail.\n", n[FAILS],
		       CHECKS);
	else
		printf("Guests of KVM can count here%s\n",
		       n[NOTED] ? "; what is noted disturbs counts or costs a figure." : ".");
	return n[FAILS] ? STATUS_FAILED : 0;
}
