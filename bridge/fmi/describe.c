/* bridge/fmi/describe.c - modelDescription.xml of an FMU, by the schemas of FMI 2.0 and 3.0.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "export.h"

static void escape(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity) {
            fputs(entity, out);
        } else {
            fputc(*text, out);
        }
    }
}

static void attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    escape(out, value);
    fputc('"', out);
}

/* ---- units, by powers of the SI's ---- */

typedef struct unit {
    const char *name, *base;
} unit;
static const unit units[] = {
    { "s", "s=\"1\"" },
    { "m", "m=\"1\"" },
    { "m/s", "m=\"1\" s=\"-1\"" },
    { "m/s2", "m=\"1\" s=\"-2\"" },
    { "m/s^2", "m=\"1\" s=\"-2\"" },
    { "rad", "rad=\"1\"" },
    { "rad/s", "rad=\"1\" s=\"-1\"" },
    { "deg", "rad=\"1\" factor=\"0.017453292519943295\"" },
    { "deg/s", "rad=\"1\" s=\"-1\" factor=\"0.017453292519943295\"" },
    { "N", "kg=\"1\" m=\"1\" s=\"-2\"" },
    { "N.m", "kg=\"1\" m=\"2\" s=\"-2\"" },
    { "J", "kg=\"1\" m=\"2\" s=\"-2\"" },
    { "W", "kg=\"1\" m=\"2\" s=\"-3\"" },
    { "A", "A=\"1\"" },
    { "kg", "kg=\"1\"" },
    { "kg/m^3", "kg=\"1\" m=\"-3\"" },
};

/* every unit that some variable has, once; those that are not SI's stand alone */
static void print_units(const tyb_fmi_model *m, FILE *out)
{
    fputs("  <UnitDefinitions>\n", out);
    for (size_t i = 0; i < m->list->count; i++) {
        const char *name = m->list->variable[i].unit, *base = NULL;
        bool told = !name[0] || m->list->variable[i].type != TYB_FMI_F64;
        for (size_t k = 0; k < i && !told; k++) {
            told = m->list->variable[k].type == TYB_FMI_F64 && !strcmp(m->list->variable[k].unit, name);
        }
        for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
            base = strcmp(units[k].name, name) ? base : units[k].base;
        }
        if (!told) {
            fputs("    <Unit", out);
            attribute(out, "name", name);
            if (base) {
                fprintf(out, "><BaseUnit %s/></Unit>\n", base);
            } else {
                fputs("/>\n", out);
            }
        }
    }
    fputs("  </UnitDefinitions>\n", out);
}

/* ---- variables ---- */

static const char *causality(const tyb_fmi_variable *v)
{
    return v->what == TYB_FMI_TIME        ? "independent"
           : v->what == TYB_FMI_PARAMETER ? "parameter"
           : TYB_FMI_INPUT(v->what)       ? "input"
                                          : "output";
}

/* sensors hold their newest sample, all else moves on */
static const char *variability(const tyb_fmi_variable *v)
{
    bool real = v->type == TYB_FMI_F64 && v->what < TYB_FMI_COLUMN;
    return v->what == TYB_FMI_PARAMETER ? "fixed" : real ? "continuous" : "discrete";
}

static const char *start_of(const tyb_fmi_variable *v)
{
    return v->type == TYB_FMI_BOOL ? (v->start[0] == '1' ? "true" : "false") : v->start;
}

static void print_common(const tyb_fmi_variable *v, size_t ref, FILE *out)
{
    attribute(out, "name", v->name);
    fprintf(out, " valueReference=\"%zu\" causality=\"%s\" variability=\"%s\"", ref, causality(v), variability(v));
    if (TYB_FMI_OUTPUT(v->what)) {
        fputs(" initial=\"calculated\"", out);
    }
    attribute(out, "description", v->text);
}

static void print_2(const tyb_fmi_variable *v, size_t ref, FILE *out)
{
    static const char *const types[] = {
        [TYB_FMI_F64] = "Real", [TYB_FMI_I32] = "Integer", [TYB_FMI_BOOL] = "Boolean", [TYB_FMI_STRING] = "String"
    };
    fputs("    <ScalarVariable", out);
    print_common(v, ref, out);
    fprintf(out, "><%s", types[v->type]);
    if (v->type == TYB_FMI_F64 && v->unit[0]) {
        attribute(out, "unit", v->unit);
    }
    if (v->what == TYB_FMI_PARAMETER || TYB_FMI_INPUT(v->what)) {
        attribute(out, "start", start_of(v));
    }
    fputs("/></ScalarVariable>\n", out);
}

static void print_3(const tyb_fmi_variable *v, size_t ref, FILE *out)
{
    static const char *const types[] = {
        "Float64", "Float32", "Int32", "UInt8", "UInt16", "UInt32", "Boolean", "String"
    };
    bool text = v->type == TYB_FMI_STRING, started = v->what == TYB_FMI_PARAMETER || TYB_FMI_INPUT(v->what);
    fprintf(out, "    <%s", types[v->type]);
    print_common(v, ref, out);
    if (v->type == TYB_FMI_F64 && v->unit[0]) {
        attribute(out, "unit", v->unit);
    }
    if (started && !text) {
        attribute(out, "start", start_of(v));
    }
    if (!v->dim[0] && !text) {
        fputs("/>\n", out);
        return;
    }
    fputc('>', out);
    for (int i = 0; i < 3 && v->dim[i]; i++) {
        fprintf(out, "<Dimension start=\"%d\"/>", v->dim[i]);
    }
    if (text) {
        fputs("<Start", out);
        attribute(out, "value", start_of(v));
        fputs("/>", out);
    }
    fprintf(out, "</%s>\n", types[v->type]);
}

/* ---- the whole ---- */

static void print_head(const tyb_fmi_model *m, FILE *out)
{
    bool third = m->version == 3;
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\"",
            third ? "3.0" : "2.0");
    attribute(out, "modelName", m->name);
    attribute(out, third ? "instantiationToken" : "guid", m->token);
    fprintf(
        out,
        " description=\"a rover on the Moon, by Tycho\" generationTool=\"tycho %s\" variableNamingConvention=\"flat\">\n",
        ty_version());
    fprintf(out, "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\" ",
            m->identifier);
    if (third) {
        fprintf(
            out,
            "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" fixedInternalStepSize=\"%.17g\" hasEventMode=\"false\" "
            "canBeInstantiatedOnlyOncePerProcess=\"false\" canReturnEarlyAfterIntermediateUpdate=\"false\"/>\n",
            m->step);
    } else {
        fputs(
            "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" canBeInstantiatedOnlyOncePerProcess=\"false\" "
            "canNotUseMemoryManagementFunctions=\"true\"/>\n",
            out);
    }
}

void tyb_fmi_describe(const tyb_fmi_model *m, FILE *out)
{
    print_head(m, out);
    print_units(m, out);
    fprintf(out,
            "  <LogCategories>\n    <Category name=\"%s\" description=\"why a call failed\"/>\n  </LogCategories>\n",
            m->version == 3 ? "error" : "logStatusError");
    fprintf(out, "  <DefaultExperiment startTime=\"0\" stopTime=\"%.17g\" stepSize=\"%.17g\"/>\n  <ModelVariables>\n",
            m->duration, m->communication);
    for (size_t i = 0; i < m->list->count; i++) {
        if (m->version == 3) {
            print_3(&m->list->variable[i], i, out);
        } else {
            print_2(&m->list->variable[i], i, out);
        }
    }
    fputs("  </ModelVariables>\n  <ModelStructure>\n", out);
    for (int pass = 0; pass < 2; pass++) { /* outputs; what is calculated when it starts: the same */
        static const char *const list[] = { "Outputs", "InitialUnknowns" },
                                 *const one[] = { "Output", "InitialUnknown" },
                                 *const free[] = { " dependencies=\"\"",
                                                   "" }; /* of inputs at the same time; of all parameters */
        if (m->version == 2) {
            fprintf(out, "    <%s>\n", list[pass]);
        }
        for (size_t i = 0; i < m->list->count; i++) {
            if (!TYB_FMI_OUTPUT(m->list->variable[i].what)) {
                continue;
            }
            if (m->version == 3) {
                fprintf(out, "    <%s valueReference=\"%zu\"%s/>\n", one[pass], i, free[pass]);
            } else {
                fprintf(out, "      <Unknown index=\"%zu\"%s/>\n", i + 1, free[pass]);
            }
        }
        if (m->version == 2) {
            fprintf(out, "    </%s>\n", list[pass]);
        }
    }
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", out);
}
