// Checks the NDI router with axe-core, in both themes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addMatrix, addSalvo, lockDestination, takeRoutes } from '../../../contract/ndi/router.ts'
import { linkTo } from '../../../src/paths.ts'
import { checkBothThemes } from '../../kit/browser/axe.ts'
import { type BrowserEnvironment, startEnvironment } from '../../kit/browser/environment.ts'
import { openRoute } from '../../kit/browser/open-route.ts'

const test = suite('axe: NDI router')

let environment: BrowserEnvironment
let matrixId: string

test.before(async () => {
  environment = await startEnvironment()
  const { hub } = environment
  await hub.signIn()
  const { id } = await hub.send(addMatrix, {
    name: 'Main matrix',
    machine: 'Church',
    sources: [{ name: 'STUDIO (CAM 1)' }, { name: 'STUDIO (CAM 2)' }],
    destinations: [{ label: 'Foyer' }, { label: 'Nursery TV' }]
  })
  matrixId = String(id)
  const takes = [{ destination: 1, source: 2 }]
  await hub.send(takeRoutes, { id, takes })
  await hub.send(lockDestination, { id, destination: 2, locked: true })
  await hub.send(addSalvo, { id, name: 'Sunday service', takes })
})
test.after(() => environment?.close())

test('neither the matrix nor its dialogs have a violation, nor the pages on a phone and of one destination', () =>
  environment.visit({}, async (page) => {
    const faults: string[] = []
    await openRoute(page, linkTo('ndiMatrix', { matrixId }))
    for (const item of ['Edit matrix', 'Hardware panels', 'Keyboard', 'Log of takes']) {
      await page.getByRole('button', { name: 'Matrix settings' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('dialog').waitFor()
      faults.push(...(await checkBothThemes(page, item)))
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Salvos: 1' }).click()
    await page.getByRole('button', { name: 'Take…' }).click()
    await page.getByRole('dialog', { name: 'Sunday service' }).waitFor()
    faults.push(...(await checkBothThemes(page, 'salvo')))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.locator('td[data-source="1"]').first().click()
    await page.getByRole('button', { name: 'Take later' }).click()
    await page.getByRole('dialog', { name: 'Schedule take' }).waitFor()
    faults.push(...(await checkBothThemes(page, 'schedule')))
    await page.keyboard.press('Escape')
    faults.push(...(await checkBothThemes(page, 'armed')))
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: /^1 Foyer/ }).waitFor()
    faults.push(...(await checkBothThemes(page, 'destinations on a phone')))
    await page.getByRole('button', { name: /^1 Foyer/ }).click()
    await page.getByRole('heading', { name: 'Source for Foyer' }).waitFor()
    faults.push(...(await checkBothThemes(page, 'sources on a phone')))
    await openRoute(page, linkTo('ndiDestination', { matrixId, destination: '1' }))
    await page.getByRole('heading', { name: 'Foyer' }).waitFor()
    faults.push(...(await checkBothThemes(page, 'page of one destination')))
    assert.deepEqual(faults, [])
  }))

test.run()
