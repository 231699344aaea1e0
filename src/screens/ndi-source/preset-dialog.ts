// Opens the dialog that adds or edits a preset.
import type { NdiPreset, NdiPresetFields } from '../../../contract/ndi/preset.ts'
import { NDI_PRESET_FORM } from '../../parts/source/ndi-preset-form.ts'
import { SourceDialog } from '../../parts/source/source-dialog.tsx'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { TEXT } from './text.ts'

export const editPreset = (preset: NdiPreset): Promise<boolean> =>
  openDialog(SourceDialog<NdiPreset, NdiPresetFields>, {
    schema: NDI_PRESET_FORM,
    source: preset,
    title: t(TEXT.edit, preset.name)
  })

/** @param source NDI name of the source to save, if it is known */
export const addPreset = (source?: { name: string; alias: string }): Promise<boolean> =>
  openDialog(SourceDialog<NdiPreset, NdiPresetFields>, {
    schema: NDI_PRESET_FORM,
    submitLabel: t(source ? TEXT.save : TEXT.add),
    ...(source && { name: source.alias, proposed: { name: source.name } })
  })
