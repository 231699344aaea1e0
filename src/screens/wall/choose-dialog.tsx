// Selects the channels of a wall display. The address keeps them.

import { useState } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import { setQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { sortByName } from '../../ui/table/sorting.ts'
import * as UI from '../../ui/text.ts'
import { CHOOSE_TEXT } from './choose-text.ts'

interface ChooseDialogProps {
  channels: readonly Channel[]
  /** IDs; empty = all channels that are started. */
  selected: ReadonlySet<number>
  onClose: (completed?: boolean) => void
}

export function ChooseDialog({ channels, selected, onClose }: ChooseDialogProps) {
  const [key, setKey] = useState('')
  const form = useForm({}, { chosen: selected }, async ({ chosen }) => {
    setQuery({ channels: [...chosen].join(), page: undefined })
    onClose(true)
    return undefined
  })
  const { chosen } = form.values
  const found = sortByName(channels).filter(({ name }) => name.toLowerCase().includes(key.toLowerCase()))
  const choose = (those: readonly Channel[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const { id } of those) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    form.setValues({ chosen: next })
  }
  const checkbox = (id: number | 'all', label: string, those: readonly Channel[]) => {
    const isChosen = those.length > 0 && those.every(({ id }) => chosen.has(id))
    return <Checkbox key={id} label={label} checked={isChosen} onCheckedChange={() => choose(those, !isChosen)} />
  }
  return (
    <FormDialog form={form} title={t(CHOOSE_TEXT.title)} submitLabel={t(CHOOSE_TEXT.show)} onClose={onClose}>
      <p className="muted">
        {chosen.size > 0 ? t(CHOOSE_TEXT.numChosen, chosen.size) : t(CHOOSE_TEXT.noneChosen)} {t(CHOOSE_TEXT.hint)}
      </p>
      <SearchBox label={t(UI.search)} value={key} onSearch={setKey} />
      <fieldset className="field">
        <legend className="unseen">{t(CHOOSE_TEXT.channels)}</legend>
        {found.length > 1 && checkbox('all', t(key ? CHOOSE_TEXT.allFound : CHOOSE_TEXT.all), found)}
        {found.map((channel) => checkbox(channel.id, channel.name, [channel]))}
        {found.length === 0 && <p className="muted">{t(CHOOSE_TEXT.noneFound)}</p>}
      </fieldset>
    </FormDialog>
  )
}
