import assert from 'node:assert/strict'
import { useState } from 'react'
import { suite } from 'uvu'
import { setLanguage } from '../../../../src/text/language.ts'
import { Button } from '../../../../src/ui/button.tsx'
import { confirm } from '../../../../src/ui/dialog/confirm.tsx'
import { Dialog } from '../../../../src/ui/dialog/dialog.tsx'
import { DialogHost } from '../../../../src/ui/dialog/dialog-host.tsx'
import { mount } from '../../../kit/console/mount.ts'
import { until } from '../../../kit/until.ts'
import { appear } from '../appear.ts'

const test = suite('dialog')

test.before.each(() => setLanguage('en'))

function Sample() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button label="Open" onClick={() => setOpen(true)} />
      {open && (
        <Dialog title="New channel" onClose={() => setOpen(false)}>
          <input name="first" />
          <input name="second" />
        </Dialog>
      )}
    </>
  )
}

async function open() {
  const host = mount(<Sample />)
  const opener = host.querySelector('button') as HTMLButtonElement
  opener.focus()
  opener.click()
  const dialog = await appear(() => host.querySelector('dialog'), 'the dialog')
  return { host, opener, dialog }
}

test('the dialog opens with its title as name and the focus in its first field', async () => {
  const { dialog } = await open()
  assert.equal(dialog.open, true)
  const title = dialog.querySelector(`[id="${dialog.getAttribute('aria-labelledby')}"]`)
  assert.equal(title?.textContent, 'New channel')
  assert.equal((document.activeElement as HTMLInputElement).name, 'first')
})

test('Escape closes the dialog and restores the focus', async () => {
  const { host, opener, dialog } = await open()
  dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  await until(() => host.querySelector('dialog') === null, 'no dialog')
  assert.equal(document.activeElement, opener)
})

test('the confirm button confirms', async () => {
  const host = mount(<DialogHost />)
  const confirmed = confirm({
    title: 'Delete 3 devices?',
    text: 'They are forgotten.',
    confirmLabel: 'Delete 3 devices',
    danger: true
  })
  const verb = await appear(() => host.querySelector<HTMLElement>('.danger'), 'the verb')
  assert.equal(verb.textContent, 'Delete 3 devices')
  verb.click()
  assert.equal(await confirmed, true)
  await until(() => host.querySelector('dialog') === null, 'no dialog')
})

test('every other way to close a confirmation declines it', async () => {
  const host = mount(<DialogHost />)
  for (const way of ['cancel', 'cross', 'escape']) {
    const confirmed = confirm({ title: 'Stop?', confirmLabel: 'Stop' })
    const dialog = await appear(() => host.querySelector('dialog'), 'the dialog')
    if (way === 'escape') dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    else (dialog.querySelector(way === 'cross' ? 'header button' : 'footer button') as HTMLElement).click()
    assert.equal(await confirmed, false, way)
    await until(() => host.querySelector('dialog') === null, 'no dialog')
  }
})

test('a second confirmation declines the first', async () => {
  mount(<DialogHost />)
  const first = confirm({ title: 'First?', confirmLabel: 'Do' })
  const second = confirm({ title: 'Second?', confirmLabel: 'Do' })
  assert.equal(await first, false)
  const verb = await appear(() => document.querySelector<HTMLElement>('.main'), 'the verb')
  verb.click()
  assert.equal(await second, true)
})

test.run()
