// The line between browser and hub breaks: the console says so in time, and recovers by itself.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { addChannel, setChannel } from '../../contract/stream/channel.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { type Line, openLine } from '../kit/line.ts'
import { mark } from '../kit/mark.ts'
import { moves } from '../kit/pixels.ts'
import { openStage, type Stage } from '../kit/stage.ts'

const test = suite('broken line')

/** Milliseconds within which old values have to be marked (issue 2, How it is judged). */
const MARKED = 3000

let stage: Stage
let line: Line

test.before(async () => {
  stage = await openStage({ devices: 1 })
  line = await openLine(Number(new URL(stage.hub.url).port))
})
test.after(async () => {
  await line?.close()
  await stage?.close()
})

/** Waits for the mark. @returns milliseconds since `began`, by the page's own clock, which is this machine's */
async function markedAfter(page: Page, began: number): Promise<number> {
  const at = await page.waitForFunction(() => {
    const said = document.querySelector('header [role=status]')?.textContent ?? ''
    return said.includes('No response for') && Date.now()
  })
  return Number(await at.jsonValue()) - began
}

function journey(title: string, name: string, breakIt: () => void): void {
  test(title, async () => {
    const { id, result } = await stage.hub.send(addChannel, { name: `${name} before` })
    assert.equal(result, 0)
    await stage.visit({ at: ROUTES.channels, origin: `http://127.0.0.1:${line.port}` }, async (page, complaints) => {
      const header = page.getByRole('banner').getByRole('status')
      const unchanged = await mark(page)
      await page.getByRole('rowheader', { name: `${name} before` }).waitFor()
      await header.getByText('Live').waitFor()
      complaints.expectOutage()
      try {
        breakIt()
        const after = await markedAfter(page, Date.now())
        assert.ok(after <= MARKED, `marked after ${after} ms`)
        // What was known stays in sight.
        assert.ok(await page.getByRole('rowheader', { name: `${name} before` }).isVisible())
        await stage.hub.send(setChannel, { id, name: `${name} after` })
      } finally {
        line.thaw()
      }
      await header.getByText('Live').waitFor()
      await page.getByRole('rowheader', { name: `${name} after` }).waitFor()
      await unchanged()
    })
  })
}

journey('a line on which nothing passes is marked within 3 s, and forgotten when it works', 'Frozen', () =>
  line.freeze()
)
journey('a line that is cut is marked within 3 s, and forgotten when it works', 'Cut', () => line.cut())

test('a picture goes on by itself when the line works again', async () => {
  const [device] = await stage.accept('Main Hall PTZ')
  const at = linkTo('allDevices', { view: 'view' })
  await stage.visit({ at, origin: `http://127.0.0.1:${line.port}` }, async (page, complaints) => {
    const unchanged = await mark(page)
    const picture = page.getByRole('img', { name: `Live picture of ${device?.name}` })
    complaints.expectOutage()
    for (const breakIt of [line.freeze, line.cut]) {
      await moves(picture)
      try {
        breakIt()
        await page.getByRole('banner').getByText('No response for').waitFor()
        // The last one stays in sight, and stands still.
        await assert.rejects(moves(picture, 1500), /stood still/)
      } finally {
        line.thaw()
      }
    }
    await moves(picture, 10_000)
    await unchanged()
  })
})

test('what is asked of a hub that does not answer is refused in words', () =>
  stage.visit({ at: ROUTES.channels, origin: `http://127.0.0.1:${line.port}` }, async (page, complaints) => {
    await page.getByRole('button', { name: 'Add channel' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add channel' })
    await dialog.getByLabel('Name').fill('Never')
    complaints.expectOutage()
    line.cut()
    try {
      await dialog.getByRole('button', { name: 'Add channel' }).click()
      await page.getByRole('alert').getByText('Cannot connect to server').waitFor()
      // What was typed is not lost.
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'Never')
    } finally {
      line.thaw()
    }
    await dialog.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('rowheader', { name: 'Never' }).waitFor()
  }))

test.run()
