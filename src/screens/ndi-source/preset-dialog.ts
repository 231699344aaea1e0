// Opens the dialog that adds or edits a preset.
import {
  addNdiPreset,
  type NdiPreset,
  type NdiPresetFields,
  presetSourceOf,
  setNdiPreset
} from '../../../contract/ndi/preset.ts'
import { parseNdiUrl } from '../../../contract/ndi/url.ts'
import { streamName } from '../../../contract/rules/rules.ts'
import { formatUrl, parseUrl } from '../../parts/source/input-url.ts'
import { NDI_FIELDS } from '../../parts/source/ndi-fields.ts'
import { parsePastedInput } from '../../parts/source/pasted-url.ts'
import { openSourceDialog } from '../../parts/source/source-dialog.tsx'
import { filledValues, type SourceForm } from '../../parts/source/source-form.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

export const editPreset = (preset: NdiPreset): Promise<boolean> => openSourceDialog(NDI_PRESET_FORM, { source: preset })

/** @param source NDI name of the source to save, if it is known */
export const addPreset = (source?: { name: string; alias: string }): Promise<boolean> =>
  openSourceDialog(
    NDI_PRESET_FORM,
    source && { submitLabel: t(TEXT.save), nameFor: () => source.alias, proposed: { name: source.name } }
  )

// Form of an NDI preset. It has the fields of an NDI input, and goes to the hub as a preset.
const KINDS = ['ndi']

const NDI_PRESET_FORM: SourceForm<NdiPreset, NdiPresetFields> = {
  route: 'ndiSources',
  kinds: KINDS,
  fields: NDI_FIELDS,
  addLabel: TEXT.add,
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
