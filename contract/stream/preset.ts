// Presets of destinations: the settings of outputs without their secrets, to be completed when an output is added
// (docs/wire.md, "Inputs and outputs"). The console knows those of public services; a hub stores its own.
import { INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { OutputPreset, PresetFields } from './preset.schema.ts'

/** Presets of a hub. */
export const PRESETS_MAX = 64

export const listPresets = declareCall('GET /preset/list', INPUT_OUTPUT_VIEW)

export const addPreset = declareCall('POST /preset/add', INPUT_OUTPUT_EDIT)

export const setPreset = declareCall('POST /preset/set', INPUT_OUTPUT_EDIT)

export const deletePreset = declareCall('POST /preset/del', INPUT_OUTPUT_EDIT)
