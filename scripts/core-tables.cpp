// SPDX-License-Identifier: BSD-2-Clause
/*
 * Makes the tables of vpmu/model/cores/ from LLVM's machine models. `scripts/core-tables` builds and runs it.
 *
 * Each opcode of LLVM is encoded with ordinary registers, and Zydis decodes the bytes: so the key of a form
 * (core_key.h) is what the plugin will compute for such an instruction. The row of the form on a core comes from the
 * opcode's scheduling class, with variants resolved for the instruction as encoded. Where several opcodes have one key,
 * the plainest one gives the rows: `rank_of()`.
 */
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCFixup.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSchedule.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>
#include "vpmu/model/cores/core_key.h"
#include "vpmu/model/cores/core_tables.h"

using namespace llvm;
using std::string;
using std::vector;

static const char TRIPLE[] = "x86_64-unknown-linux-gnu";

/*
 * LLVM's names of the resources that do a core's memory accesses and branches follow the prefix. LLVM's model of Alder
 * Lake has no divider of floating point: Ice Lake's, `divider_of`, stands for it.
 */
struct CoreName {
	const char *name, *cpu, *prefix, *loads, *store_addresses, *store_data, *branches, *divider_of = nullptr;
};

static const CoreName core_names[] = {
	{"snb", "sandybridge", "SB", "Port23", "Port23", "Port4", "Port5"},
	{"hsw", "haswell", "HW", "Port23", "Port237", "Port4", "Port06"},
	{"bdw", "broadwell", "BW", "Port23", "Port237", "Port4", "Port06"},
	{"skl", "skylake", "SKL", "Port23", "Port237", "Port4", "Port06"},
	{"skx", "skylake-avx512", "SKX", "Port23", "Port237", "Port4", "Port06"},
	{"icl", "icelake-server", "ICX", "Port23", "Port78", "Port49", "Port06"},
	{"adl", "alderlake", "ADLP", "Port02_03_11", "Port07_08", "Port04_09", "Port00_06", "icl"},
	{"zen2", "znver2", "Zn2", "AGU", "AGU", "AGU", "ALU"},
	{"zen3", "znver3", "Zn3", "Load", "Store", "Store", "BRU01"},
	{"zen4", "znver4", "Zn4", "Load", "Store", "Store", "BRU01"},
};

static void fail(const string &why)
{
	fprintf(stderr, "core-tables: %s\n", why.c_str());
	exit(1);
}

/* --- Execution units --- */

struct Unit {
	string name;
	unsigned resource;
	bool port;
};

/* The use of units by one form: unit mask, cycles, micro-operations. */
using Use = std::tuple<uint32_t, unsigned, unsigned>;
using Uses = vector<Use>;

struct Row {
	unsigned uops = 0, advance = 0;
	unsigned uses = 0; /* index of the list */
	vector<unsigned> latency;
	auto key() const { return std::tie(uops, advance, uses, latency); }
	bool operator<(const Row &other) const { return key() < other.key(); }
};

template <class T> struct Numbered {
	std::map<T, unsigned> number_of;
	vector<T> list;
	unsigned operator()(const T &item)
	{
		auto [at, fresh] = number_of.emplace(item, list.size());
		if (fresh)
			list.push_back(item);
		return at->second;
	}
};

struct Core {
	const CoreName &name;
	std::unique_ptr<MCSubtargetInfo> sti;
	vector<Unit> units;
	vector<uint32_t> masks; /* by LLVM's resource */
	Numbered<Uses> uses;
	Numbered<Row> rows;

	explicit Core(const CoreName &core_name, const Target &target)
		: name(core_name), sti(target.createMCSubtargetInfo(TRIPLE, core_name.cpu, ""))
	{
		find_units();
		find_masks();
		uses(Uses());
	}
	const MCSchedModel &model() const { return sti->getSchedModel(); }
	const MCProcResourceDesc &resource(unsigned n) const { return *model().getProcResource(n); }
	unsigned nresources() const { return model().getNumProcResourceKinds(); }
	string resource_name(unsigned n) const { return resource(n).Name + strlen(name.prefix); }
	bool is_intel() const { return units[0].name == "p0"; }
	bool is_unit(unsigned n) const { return !resource(n).SubUnitsIdxBegin && !resource(n).SuperIdx; }
	void find_units();
	void find_masks();
	uint32_t mask_of(const string &resource) const;
	uint32_t mask_in(unsigned super, unsigned count) const;
	uint32_t not_ports() const;
	unsigned divider_cycles(const MCSchedClassDesc &sched) const;
};

/* "Port00" -> "p0"; units that are not pipelined, or that pass no micro-operations, are no ports. */
static Unit unit_of(string name, unsigned resource)
{
	static const std::map<string, string> others = {
		{"Divider", "DIV"}, {"FPDivider", "FPDIV"}, {"Multiplier", "MUL"}, {"LSU0", "LSU0"}, {"LSU1", "LSU1"}, {"LSU2", "LSU2"}};
	if (auto other = others.find(name); other != others.end())
		return {other->second, resource, false};
	if (name.rfind("Port", 0) == 0)
		return {"p" + std::to_string(atoi(name.c_str() + 4)), resource, true};
	return {name, resource, true};
}

/* LLVM's unit of several, such as Port23 or FP45, is named by its digits, or else numbered. */
static string name_in(const string &name, unsigned count, unsigned n)
{
	const size_t digits = name.find_first_of("0123456789");
	if (count == 1)
		return name;
	if (digits == string::npos)
		return name + std::to_string(n);
	return name.substr(0, digits) + name[digits + n];
}

void Core::find_units()
{
	for (unsigned r = 1; r < nresources(); r++)
		for (unsigned n = 0; is_unit(r) && resource_name(r) != "PortInvalid" && n < resource(r).NumUnits; n++)
			units.push_back(unit_of(name_in(resource_name(r), resource(r).NumUnits, n), r));
	auto order = [](const Unit &unit) {
		return std::make_pair(!unit.port, unit.name[0] == 'p' ? atoi(unit.name.c_str() + 1) : 0);
	};
	std::stable_sort(units.begin(), units.end(), [&](const Unit &a, const Unit &b) { return order(a) < order(b); });
	if (name.divider_of)
		units.push_back({"FPDIV", 0, false});
	if (units.size() > CORE_UNITS)
		fail("too many units: " + string(name.name));
}

void Core::find_masks()
{
	masks.resize(nresources());
	for (unsigned u = 0; u < units.size(); u++)
		if (units[u].resource)
			masks[units[u].resource] |= 1u << u;
	for (unsigned r = 1; r < nresources(); r++)
		for (unsigned n = 0; resource(r).SubUnitsIdxBegin && n < resource(r).NumUnits; n++)
			masks[r] |= masks[resource(r).SubUnitsIdxBegin[n]];
	for (unsigned r = 1; r < nresources(); r++)
		if (resource(r).SuperIdx)
			masks[r] = mask_in(resource(r).SuperIdx, resource(r).NumUnits);
}

/* A resource inside another one has the first units of that one. */
uint32_t Core::mask_in(unsigned super, unsigned count) const
{
	uint32_t mask = 0, left = masks[super];
	for (; count; count--, left &= left - 1)
		mask |= left & -left;
	return mask;
}

uint32_t Core::mask_of(const string &wanted) const
{
	for (unsigned r = 1; r < nresources(); r++)
		if (resource_name(r) == wanted)
			return masks[r];
	fail(string(name.name) + " has no " + wanted);
	return 0;
}

uint32_t Core::not_ports() const
{
	uint32_t mask = 0;
	for (unsigned u = 0; u < units.size(); u++)
		mask |= uint32_t(!units[u].port) << u;
	return mask;
}

unsigned Core::divider_cycles(const MCSchedClassDesc &sched) const
{
	for (auto *e = sti->getWriteProcResBegin(&sched); e != sti->getWriteProcResEnd(&sched); e++)
		if (resource_name(e->ProcResourceIdx) == "FPDivider")
			return e->ReleaseAtCycle;
	return 0;
}

/* --- Rows --- */

/*
 * A group's cycles include those of each resource within the group: only the rest are the group's own. Resources with
 * the same units are one.
 */
static std::map<uint32_t, int> own_cycles(const Core &core, const MCSchedClassDesc &sched)
{
	std::map<uint32_t, int> cycles;
	for (auto *e = core.sti->getWriteProcResBegin(&sched); e != core.sti->getWriteProcResEnd(&sched); e++) {
		int &most = cycles[core.masks[e->ProcResourceIdx]];
		most = std::max(most, e->ReleaseAtCycle - e->AcquireAtCycle);
	}
	vector<uint32_t> small_first;
	for (auto &[mask, total] : cycles)
		small_first.push_back(mask);
	std::stable_sort(small_first.begin(), small_first.end(),
			 [](uint32_t a, uint32_t b) { return __builtin_popcount(a) < __builtin_popcount(b); });
	for (uint32_t inner : small_first)
		for (uint32_t outer : small_first)
			if (inner != outer && !(inner & ~outer) && cycles[inner] > 0)
				cycles[outer] -= cycles[inner];
	std::erase_if(cycles, [](auto &own) { return own.second <= 0; });
	return cycles;
}

/* Cycles that a use keeps each unit of its mask busy, on average. */
static double busy(const Use &use)
{
	auto [mask, cycles, count] = use;
	return double(cycles) * count / __builtin_popcount(mask);
}

/*
 * Cycles on ports are micro-operations. The models of AMD's cores have more of them than the form has
 * micro-operations: there the rest keeps the port busy. Cycles on other units are those of one micro-operation.
 */
static Uses uses_of(const Core &core, const MCSchedClassDesc &sched)
{
	Uses uses;
	for (auto [mask, cycles] : own_cycles(core, sched)) {
		const bool port = !(mask & core.not_ports());
		const int most = core.is_intel() ? cycles : std::max(1, std::min<int>(cycles, sched.NumMicroOps));
		int count = port ? most : 1;
		while (cycles % count)
			count--;
		uses.emplace_back(mask, std::min(255, cycles / count), std::min(255, count));
	}
	/* Long microcode: the units that are busy longest bound it. */
	std::stable_sort(uses.begin(), uses.end(), [](const Use &a, const Use &b) { return busy(a) > busy(b); });
	if (uses.size() > CORE_USES)
		uses.resize(CORE_USES);
	std::sort(uses.begin(), uses.end());
	return uses;
}

static unsigned advance_of(const Core &core, const MCSchedClassDesc &sched)
{
	int most = 0;
	for (auto &entry : core.sti->getReadAdvanceEntries(sched))
		most = std::max(most, entry.Cycles);
	return most;
}

/* A negative advance: so long takes a source on its way between the integer and the vector unit. */
static unsigned delay_of(const Core &core, const MCSchedClassDesc &sched)
{
	int most = 0;
	for (auto &entry : core.sti->getReadAdvanceEntries(sched))
		most = std::max(most, -entry.Cycles);
	return most;
}

static vector<unsigned> latencies_of(const Core &core, const MCSchedClassDesc &sched)
{
	const int unknown = 100; /* LLVM's own stand-in */
	vector<unsigned> latency;
	for (unsigned i = 0; i < sched.NumWriteLatencyEntries && i < CORE_WRITES; i++) {
		const int cycles = core.sti->getWriteLatencyEntry(&sched, i)->Cycles;
		latency.push_back(cycles < 0 ? unknown : cycles + delay_of(core, sched));
	}
	if (latency.empty())
		latency.push_back(0);
	while (latency.size() > 1 && latency.back() == latency[latency.size() - 2])
		latency.pop_back();
	return latency;
}

static const MCSchedClassDesc *sched_class(const Core &core, const MCInst &inst, const MCInstrInfo &info)
{
	unsigned number = info.get(inst.getOpcode()).getSchedClass();
	while (number && core.model().getSchedClassDesc(number)->isVariant())
		number = core.sti->resolveVariantSchedClass(number, &inst, &info, core.model().getProcessorID());
	const MCSchedClassDesc *sched = core.model().getSchedClassDesc(number);
	return number && sched->isValid() ? sched : nullptr;
}

static bool uses_invalid_port(const Core &core, const MCSchedClassDesc &sched)
{
	for (auto *e = core.sti->getWriteProcResBegin(&sched); e != core.sti->getWriteProcResEnd(&sched); e++)
		if (!core.masks[e->ProcResourceIdx])
			return true;
	return false;
}

/* Adds the divider of the other core, the last unit, to the uses of an instruction that occupies it there. */
static Uses with_divider(Uses uses, const Core &core, const Core &other, const MCInst &inst, const MCInstrInfo &info)
{
	const MCSchedClassDesc *sched = sched_class(other, inst, info);
	const unsigned cycles = sched ? other.divider_cycles(*sched) : 0;
	if (cycles && uses.size() < CORE_USES)
		uses.emplace_back(1u << (core.units.size() - 1), cycles, 1);
	return uses;
}

/*
 * Returns the number of the core's row for the instruction, or CORE_NO_ROW. `divider` is the core whose divider stands
 * for this one's, or null.
 */
static unsigned row_of(Core &core, const Core *divider, const MCInst &inst, const MCInstrInfo &info,
		       ZydisInstructionEncoding encoding)
{
	const MCSchedClassDesc *sched = sched_class(core, inst, info);
	if (!sched || uses_invalid_port(core, *sched) ||
	    (encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && !core.sti->checkFeatures("+avx512f")))
		return CORE_NO_ROW;
	Row row;
	row.uops = std::min<unsigned>(255, sched->NumMicroOps);
	row.advance = advance_of(core, *sched);
	row.latency = latencies_of(core, *sched);
	const Uses uses = uses_of(core, *sched);
	row.uses = core.uses(divider ? with_divider(uses, core, *divider, inst, info) : uses);
	return core.rows(row);
}

/* --- Instructions --- */

/* What varies between the instructions that are made of one opcode. */
struct Variant {
	unsigned condition = 5;
	bool zero = false;
	unsigned shape = 0;
	unsigned high_bytes = 0; /* bit N: the N-th register of 8 bits is one of ah, bh, ch, dh */
	unsigned prefix = 0;     /* a flag of LLVM's instructions, which the encoder turns into a prefix */
};

/* X86::IP_HAS_REPEAT and X86::IP_HAS_LOCK, which LLVM's installed headers lack. */
static const unsigned REP_PREFIX = 8, LOCK_PREFIX = 16;

struct Shape {
	bool base, index;
	unsigned scale;
	int displacement;
};
static const Shape shapes[] = {
	{true, false, 1, 0}, {true, true, 1, 0}, {false, true, 8, 0}, {true, true, 8, 0}, {true, true, 1, 64}, {false, false, 1, 64},
};

class Maker
{
	const MCInstrInfo &info;
	const MCRegisterInfo &registers;
	std::map<string, unsigned> by_name;
	std::set<unsigned> taken;
	unsigned nbytes = 0; /* registers of 8 bits so far */
	Variant variant;

	bool is_high(unsigned reg) const
	{
		const string name = registers.getName(reg);
		return name.size() == 2 && name[1] == 'H';
	}
	unsigned pick(const MCRegisterClass &from)
	{
		const bool bytes = from.contains(by_name.at("BH"));
		const bool high = bytes && variant.high_bytes >> nbytes & 1;
		nbytes += bytes;
		for (unsigned encoding : {3, 1, 2, 6, 7, 5, 0, 4})
			for (unsigned reg : from)
				if (registers.getEncodingValue(reg) == encoding && is_high(reg) == high && !taken.count(reg)) {
					taken.insert(reg);
					return reg;
				}
		return from.begin() == from.end() ? 0 : *from.begin();
	}
	MCOperand reg(const string &name) { return MCOperand::createReg(name.empty() ? 0 : by_name.at(name)); }
	void memory(MCInst &inst, const MCOperandInfo &index)
	{
		const Shape &shape = shapes[variant.shape];
		const bool vector = index.RegClass >= 0 && !index.isLookupPtrRegClass() &&
				    string(registers.getRegClassName(&registers.getRegClass(index.RegClass))).rfind("VR", 0) == 0;
		inst.addOperand(reg(shape.base ? "RSI" : variant.shape == 5 ? "RIP" : ""));
		inst.addOperand(MCOperand::createImm(shape.scale));
		inst.addOperand(vector ? MCOperand::createReg(pick(registers.getRegClass(index.RegClass)))
				       : reg(shape.index ? "RDI" : ""));
		inst.addOperand(MCOperand::createImm(shape.displacement));
		inst.addOperand(reg(""));
	}
	/* A part of a string instruction's address, or of an absolute one. */
	void address_part(MCInst &inst, const MCOperandInfo &operand, bool source)
	{
		if (operand.isLookupPtrRegClass())
			inst.addOperand(reg(source ? "RSI" : "RDI"));
		else if (operand.RegClass >= 0)
			inst.addOperand(reg(""));
		else
			inst.addOperand(MCOperand::createImm(0x1000));
	}
	int64_t immediate(const MCOperandInfo &operand) const
	{
		const unsigned rounding = MCOI::OPERAND_FIRST_TARGET, condition = rounding + 1;
		if (operand.OperandType == condition)
			return variant.condition;
		if (operand.OperandType == rounding)
			return 1;
		return variant.zero || operand.OperandType == MCOI::OPERAND_PCREL ? 0 : 5;
	}

      public:
	Maker(const MCInstrInfo &instructions, const MCRegisterInfo &all) : info(instructions), registers(all)
	{
		for (unsigned n = 1; n < all.getNumRegs(); n++)
			by_name[all.getName(n)] = n;
	}
	MCInst make(unsigned opcode, const Variant &wanted)
	{
		const MCInstrDesc &desc = info.get(opcode);
		auto operands = desc.operands();
		MCInst inst;
		inst.setOpcode(opcode);
		variant = wanted;
		taken.clear();
		nbytes = 0;
		inst.setFlags(variant.prefix);
		for (unsigned i = 0; i < operands.size();) {
			/* LLVM does not mark the address of LEA as memory. */
			unsigned run = i == 1 && operands.size() == 6 && info.getName(opcode).starts_with("LEA") ? 5 : 0;
			while (i + run < operands.size() && operands[i + run].OperandType == MCOI::OPERAND_MEMORY)
				run++;
			const int tied = desc.getOperandConstraint(i, MCOI::TIED_TO);
			if (run >= 5) {
				memory(inst, operands[i + 2]);
				i += 5;
				continue;
			}
			if (tied >= 0)
				inst.addOperand(inst.getOperand(tied));
			else if (run)
				address_part(inst, operands[i], run == 2);
			else if (operands[i].RegClass >= 0)
				inst.addOperand(MCOperand::createReg(operands[i].isLookupPtrRegClass()
									     ? by_name.at("RBX")
									     : pick(registers.getRegClass(operands[i].RegClass))));
			else
				inst.addOperand(MCOperand::createImm(immediate(operands[i])));
			i++;
		}
		return inst;
	}
};

/* --- Forms --- */

using Rank = std::tuple<unsigned, bool, size_t, size_t, string>;

struct Form {
	Rank rank; /* the least one gives the rows */
	MCInst inst;
	ZydisInstructionEncoding encoding;
};

class Collector
{
	const MCInstrInfo &info;
	const MCSubtargetInfo &sti;
	MCCodeEmitter &emitter;
	MCDisassembler &disassembler;
	ZydisDecoder decoder;
	Maker maker;

	/*
	 * The least rank is the plainest: what LLVM makes of the bytes, no alternate encoding, none for the accumulator
	 * alone, then the shortest.
	 */
	Rank rank_of(const MCInst &inst, ArrayRef<uint8_t> bytes)
	{
		MCInst back;
		uint64_t size;
		const string name = info.getName(inst.getOpcode()).str();
		const auto operands = info.get(inst.getOpcode()).operands();
		const bool same = disassembler.getInstruction(back, size, bytes, 0, nulls()) == MCDisassembler::Success &&
				  back.getOpcode() == inst.getOpcode();
		bool alternate = false;
		for (const char *word : {"_REV", "_alt", "LOCK_", "LXADD", "LCMPXCHG"})
			alternate |= name.find(word) != string::npos;
		const bool accumulator = operands.size() == 1 && operands[0].RegClass < 0;
		return {2 * alternate + !same, accumulator, bytes.size(), name.size(), name};
	}
	void add(unsigned opcode, const Variant &variant)
	{
		const MCInst inst = maker.make(opcode, variant);
		SmallVector<char, 32> bytes;
		SmallVector<MCFixup, 4> fixups;
		ZydisDecodedInstruction insn;
		ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
		emitter.encodeInstruction(inst, bytes, fixups, sti);
		if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, bytes.data(), bytes.size(), &insn, operands)) ||
		    insn.length != bytes.size() || insn.encoding == ZYDIS_INSTRUCTION_ENCODING_XOP ||
		    insn.encoding == ZYDIS_INSTRUCTION_ENCODING_3DNOW)
			return;
		Form form = {rank_of(inst, ArrayRef<uint8_t>(reinterpret_cast<uint8_t *>(bytes.data()), bytes.size())), inst,
			     insn.encoding};
		auto [at, fresh] = forms.emplace(core_key(&insn, operands), form);
		if (!fresh && form.rank < at->second.rank)
			at->second = form;
	}
	bool is_encodable(unsigned opcode) const
	{
		const uint64_t FORM_MASK = 127; /* X86II::FormMask; 0 is a pseudo instruction */
		const string name = info.getName(opcode).str();
		/* Debian's Zydis 4.0 does not know APX. LLVM cannot encode EH_RETURN. */
		for (const char *other : {"EH_RETURN", "_ND", "_NF", "_EVEX", "_ZU", "CCMP", "CTEST", "CFCMOV", "PUSH2", "POP2", "PUSHP", "POPP", "JMPABS"})
			if (name.find(other) != string::npos)
				return false;
		return (info.get(opcode).TSFlags & FORM_MASK) && !info.get(opcode).isPseudo();
	}
	void add_all(unsigned opcode)
	{
		const StringRef name = info.getName(opcode);
		const MCInstrDesc &desc = info.get(opcode);
		auto begins = [&](std::initializer_list<const char *> words) {
			return std::any_of(words.begin(), words.end(), [&](const char *word) { return name.starts_with(word); });
		};
		const unsigned prefix = begins({"MOVS", "CMPS", "SCAS", "LODS", "STOS", "INS", "OUTS"}) ? REP_PREFIX
					: desc.mayLoad() && desc.mayStore()                                ? LOCK_PREFIX
													   : 0;
		for (unsigned condition = 0; condition < 16; condition++)
			add(opcode, {.condition = condition});
		for (unsigned shape = 1; begins({"LEA"}) && shape < std::size(shapes); shape++)
			add(opcode, {.shape = shape});
		/* A REX prefix excludes the high bytes. */
		for (unsigned high = 0; name.contains("8") && !name.contains("64") && high < 4; high++) {
			add(opcode, {.high_bytes = high});
			if (prefix)
				add(opcode, {.high_bytes = high, .prefix = prefix});
		}
		if (prefix)
			add(opcode, {.prefix = prefix});
		if (begins({"ADC", "SBB"}))
			add(opcode, {.zero = true});
		if (begins({"ADC", "SBB"}) && prefix)
			add(opcode, {.zero = true, .prefix = prefix});
	}

      public:
	std::map<uint32_t, Form> forms;

	Collector(const MCInstrInfo &instructions, const MCRegisterInfo &registers, const MCSubtargetInfo &plain,
		  MCCodeEmitter &code_emitter, MCDisassembler &code_reader)
		: info(instructions), sti(plain), emitter(code_emitter), disassembler(code_reader), maker(instructions, registers)
	{
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
		for (unsigned opcode = 0; opcode < info.getNumOpcodes(); opcode++)
			if (is_encodable(opcode))
				add_all(opcode);
	}
};

/* --- Files --- */

static FILE *open_file(const string &folder, const string &name)
{
	FILE *f = fopen((folder + "/" + name).c_str(), "w");
	if (!f)
		fail("cannot write " + name);
	fprintf(f, "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
		   "// Generated by scripts/core-tables from LLVM %s's machine models. Do not edit.\n",
		LLVM_VERSION_STRING);
	return f;
}

static void begin_rows(FILE *f)
{
	fprintf(f, "\n/* One row a line. */\n// clang-format off\n");
}

/* A list of uses follows the one before; a row points at the first of its own. */
static vector<unsigned> write_uses(FILE *f, const Core &core)
{
	vector<unsigned> first;
	unsigned n = 0;
	fprintf(f, "static const struct core_use %s_uses[] = {\n", core.name.name);
	for (auto &list : core.uses.list) {
		first.push_back(n);
		for (auto [ports, cycles, count] : list)
			fprintf(f, "%s{0x%x, %u, %u}", n++ == first.back() ? "\t" : ", ", ports, cycles, count);
		if (!list.empty())
			fprintf(f, ",\n");
	}
	fprintf(f, "};\n\n");
	return first;
}

static void write_rows(FILE *f, const Core &core)
{
	const vector<unsigned> first = write_uses(f, core);
	fprintf(f, "/* micro-operations, uses, writes, advance, latencies, the first use */\n"
		   "static const struct core_row %s_rows[] = {\n",
		core.name.name);
	for (auto &row : core.rows.list) {
		fprintf(f, "\t{%u, %zu, %zu, %u, {", row.uops, core.uses.list[row.uses].size(), row.latency.size(), row.advance);
		for (size_t i = 0; i < row.latency.size(); i++)
			fprintf(f, "%s%u", i ? ", " : "", row.latency[i]);
		fprintf(f, "}, &%s_uses[%u]},\n", core.name.name, first[row.uses]);
	}
	fprintf(f, "};\n\n");
}

static void write_numbers(FILE *f, const vector<unsigned> &numbers)
{
	for (size_t i = 0; i < numbers.size(); i++)
		fprintf(f, "%s%u,%s", i % 20 ? "" : "\t", numbers[i], i % 20 == 19 || i + 1 == numbers.size() ? "\n" : " ");
	fprintf(f, "};\n");
}

static void write_core(const string &folder, const Core &core, const vector<unsigned> &row_of_form)
{
	const CoreName &name = core.name;
	FILE *f = open_file(folder, string("core_") + name.name + ".c");
	fprintf(f, "#include \"vpmu/model/cores/cores_priv.h\"\n");
	begin_rows(f);
	write_rows(f, core);
	fprintf(f, "static const uint16_t %s_row_of[CORE_FORMS] = {\n", name.name);
	write_numbers(f, row_of_form);
	fprintf(f, "\nconst struct core_table core_%s = {\n\t.name = \"%s\",\n\t.llvm_cpu = \"%s\",\n\t.units = {", name.name,
		name.name, name.cpu);
	for (size_t u = 0; u < core.units.size(); u++)
		fprintf(f, "%s\"%s\"", u ? ", " : "", core.units[u].name.c_str());
	fprintf(f, "},\n\t.loads = 0x%x,\n\t.store_addresses = 0x%x,\n\t.store_data = 0x%x,\n\t.branches = 0x%x,\n"
		   "\t.dividers = 0x%x,\n",
		core.mask_of(name.loads), core.mask_of(name.store_addresses), core.mask_of(name.store_data),
		core.mask_of(name.branches), core.not_ports());
	fprintf(f, "\t.rows = %s_rows,\n\t.nrows = %zu,\n\t.row_of = %s_row_of,\n};\n", name.name, core.rows.list.size(),
		name.name);
	fclose(f);
}

static void write_keys(const string &folder, const vector<uint32_t> &keys, const vector<unsigned> &form_of)
{
	FILE *f = open_file(folder, "core_keys.c");
	fprintf(f, "#include \"vpmu/model/cores/cores_priv.h\"\n");
	begin_rows(f);
	fprintf(f, "/* keys, ascending */\nconst uint32_t core_keys[CORE_KEYS] = {\n");
	for (size_t i = 0; i < keys.size(); i++)
		fprintf(f, "%s0x%x,%s", i % 10 ? "" : "\t", keys[i], i % 10 == 9 || i + 1 == keys.size() ? "\n" : " ");
	fprintf(f, "};\n\n/* the form of each key: keys with the same rows on all cores are one form */\n"
		   "const uint16_t core_form_of[CORE_KEYS] = {\n");
	write_numbers(f, form_of);
	fclose(f);
}

static void write_counts(const string &folder, size_t keys, size_t forms)
{
	FILE *f = open_file(folder, "core_counts.h");
	fprintf(f, "#ifndef PERF0_VPMU_MODEL_CORES_CORE_COUNTS_H\n#define PERF0_VPMU_MODEL_CORES_CORE_COUNTS_H\n\n"
		   "#define CORE_KEYS         %zu\n#define CORE_FORMS        %zu\n"
		   "#define CORE_TABLES_ZYDIS %d /* the numbering of mnemonics in the keys */\n\n#endif\n",
		keys, forms, CORE_KEY_ZYDIS);
	fclose(f);
}

static const Core *core_named(const vector<Core> &cores, const char *name)
{
	for (const Core &core : cores)
		if (name && string(core.name.name) == name)
			return &core;
	return nullptr;
}

static void write_tables(const string &folder, const Collector &collector, vector<Core> &cores, const MCInstrInfo &info)
{
	Numbered<vector<unsigned>> forms;
	vector<uint32_t> keys;
	vector<unsigned> form_of;
	for (auto &[key, form] : collector.forms) {
		vector<unsigned> rows;
		for (Core &core : cores)
			rows.push_back(row_of(core, core_named(cores, core.name.divider_of), form.inst, info, form.encoding));
		if (std::all_of(rows.begin(), rows.end(), [](unsigned row) { return row == CORE_NO_ROW; }))
			continue;
		keys.push_back(key);
		form_of.push_back(forms(rows));
	}
	for (size_t c = 0; c < cores.size(); c++) {
		vector<unsigned> row_of_form;
		for (auto &rows : forms.list)
			row_of_form.push_back(rows[c]);
		write_core(folder, cores[c], row_of_form);
		printf("%s: %zu rows, %zu lists of uses\n", cores[c].name.name, cores[c].rows.list.size(),
		       cores[c].uses.list.size());
	}
	write_keys(folder, keys, form_of);
	write_counts(folder, keys.size(), forms.list.size());
	printf("%zu keys, %zu forms\n", keys.size(), forms.list.size());
}

int main(int argc, char **argv)
{
	if (argc != 2)
		fail("usage: core-tables FOLDER");
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86Disassembler();
	string error;
	const Target *target = TargetRegistry::lookupTarget(TRIPLE, error);
	if (!target)
		fail(error);
	std::unique_ptr<MCRegisterInfo> registers(target->createMCRegInfo(TRIPLE));
	std::unique_ptr<MCAsmInfo> assembly(target->createMCAsmInfo(*registers, TRIPLE, MCTargetOptions()));
	std::unique_ptr<MCInstrInfo> info(target->createMCInstrInfo());
	std::unique_ptr<MCSubtargetInfo> plain(target->createMCSubtargetInfo(TRIPLE, "", ""));
	MCContext context(Triple(TRIPLE), assembly.get(), registers.get(), plain.get());
	std::unique_ptr<MCCodeEmitter> emitter(target->createMCCodeEmitter(*info, context));
	std::unique_ptr<MCDisassembler> disassembler(target->createMCDisassembler(*plain, context));
	Collector collector(*info, *registers, *plain, *emitter, *disassembler);
	vector<Core> cores;
	for (const CoreName &name : core_names)
		cores.emplace_back(name, *target);
	write_tables(argv[1], collector, cores, *info);
}
