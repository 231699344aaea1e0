// Presets of destinations: the settings of outputs without their secrets, to be completed when an output is added (docs/wire.md, "Inputs and
// outputs"). The console knows those of public services; a hub stores its own.
import { INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest, type ListResponse } from '../call.ts'

/** Presets of a hub. */
export const PRESETS_MAX = 64

export interface PresetFields {
  name: string
  /** Protocol bit of the output. */
  protocol: number
  /** As that of an output, without the secrets. It is checked when an output is added. */
  config: Record<string, string | number | boolean>
}

export interface OutputPreset extends PresetFields {
  id: number
}

export const listPresets = declareCall<EmptyRequest, ListResponse<OutputPreset>>(
  'GET',
  '/preset/list',
  INPUT_OUTPUT_VIEW
)

/** Removes secrets, also a login in the URL. 1003 name in use; 17 for more than 64 presets. Returns the id. */
export const addPreset = declareCall<PresetFields, { id: number }>('POST', '/preset/add', INPUT_OUTPUT_EDIT)

/** As `addPreset`; 16. */
export const setPreset = declareCall<PresetFields & { id: number }>('POST', '/preset/set', INPUT_OUTPUT_EDIT)

/** 16. */
export const deletePreset = declareCall<{ id: number }>('POST', '/preset/del', INPUT_OUTPUT_EDIT)
