import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { useUnsaved } from '../../../src/parts/unsaved.ts'
import { navigate, useHashLocation } from '../../../src/state/location.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { ConfirmHost } from '../../../src/ui/confirm.tsx'
import { mount } from '../../kit/mount.ts'
import { all, click, none, one, says, settled, words } from '../../kit/page.ts'

const test = suite('unsaved')

test.before.each(() => setLanguage('en'))

function Form({ changed }: { changed: boolean }) {
  useUnsaved(changed)
  return null
}

/** Has the form at /group alone. */
function Page({ changed }: { changed: boolean }) {
  const [path] = useHashLocation()
  return (
    <p>
      at {path} {path === '/group' && <Form changed={changed} />}
    </p>
  )
}

/** Shows a page at /group, and waits until it listens. */
async function open(changed: boolean): Promise<void> {
  navigate('/group')
  mount(
    <>
      <Page changed={changed} />
      <ConfirmHost />
    </>
  )
  await settled()
}

/** Follows a link, or goes back, as a browser does: the address first, then the event. */
async function go(hash: string): Promise<void> {
  history.pushState(null, '', hash)
  dispatchEvent(new Event('hashchange'))
  await settled()
}

test('nothing is asked where nothing was changed', async () => {
  await open(false)
  await go('#/users')
  await says('at /users')
  assert.equal(all('dialog').length, 0)
})

test('what was changed holds one back, under the address of the page, until one agrees', async () => {
  await open(true)
  await go('#/users')
  const question = await one('dialog', 'Leave without saving?')
  await says('at /group')
  assert.equal(location.hash, '#/group')
  await click(await one('button', 'Cancel', question))
  await none('dialog')
  await says('at /group')
  assert.equal(location.hash, '#/group')
})

test('what is drawn before anybody hears of the new address is still the page', async () => {
  await open(true)
  history.pushState(null, '', '#/users')
  assert.equal(words(mount(<Page changed={false} />)), 'at /group')
})

test('who agrees goes on to where they wanted, by the way back that was kept', async () => {
  await open(true)
  await go('#/users')
  const { back } = history
  let went = 0
  Object.assign(history, { back: () => went++ })
  try {
    await click(await one('button', 'Leave', await one('dialog', 'Leave without saving?')))
    await settled()
    assert.equal(went, 1)
    await go('#/users')
    await says('at /users')
    assert.equal(all('dialog').length, 0)
  } finally {
    Object.assign(history, { back })
  }
})

test('a reload is the business of the browser, which is told to ask', async () => {
  await open(true)
  const unload = new Event('beforeunload', { cancelable: true })
  dispatchEvent(unload)
  assert.equal(unload.defaultPrevented, true)
})

test('going on after saving asks nothing', async () => {
  await open(true)
  navigate('/group/8')
  await says('at /group/8')
  assert.equal(all('dialog').length, 0)
})

test.run()
