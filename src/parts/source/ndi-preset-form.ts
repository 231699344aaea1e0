// Form of an NDI preset. It has the fields of an NDI input, and goes to the hub as a preset.
import {
  addNdiPreset,
  type NdiPreset,
  type NdiPresetFields,
  presetSourceOf,
  setNdiPreset
} from '../../../contract/ndi/preset.ts'
import { streamName } from '../../../contract/rules/rules.ts'
import { parseNdiUrl } from '../../../contract/stream/ndi-url.ts'
import { formatUrl, parseUrl } from './input-url.ts'
import { NDI_FIELDS } from './ndi-fields.ts'
import { parsePastedInput } from './pasted-url.ts'
import { filledValues, type SourceForm } from './source-form.ts'

const KINDS = ['ndi']

export const NDI_PRESET_FORM: SourceForm<NdiPreset, NdiPresetFields> = {
  route: 'ndiSources',
  kinds: KINDS,
  fields: NDI_FIELDS,
  valuesOf: ({ url }) => parseUrl(url),
  requestOf(values) {
    const url = parseNdiUrl(formatUrl('ndi', filledValues(NDI_FIELDS, values, String)))
    // The rules of the fields have been checked; the hub refuses a name that is empty.
    return { name: values.title as string, ndi: 'fault' in url ? { name: '' } : presetSourceOf(url) }
  },
  nameRule: streamName,
  parsePasted: (text) => parsePastedInput(text, KINDS),
  add: addNdiPreset,
  set: setNdiPreset
}
