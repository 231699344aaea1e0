import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { browserText } from '../../web-server/browsers.ts'

const test = suite('browsers')

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

const AGENTS: readonly (readonly [agent: string, text: string])[] = [
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/131.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${KIT} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KIT} Chrome/131.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${KIT} Chrome/131.0.0.0 Safari/537.36 OPR/116.0`, 'Opera on Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Safari on macOS'
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/604.1',
    'Safari on iOS'
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'Unknown browser']
]

for (const [agent, text] of AGENTS)
  test(`${agent || 'an empty User-Agent'} is displayed as ${text}`, () => {
    assert.equal(browserText('en', agent), text)
  })

test('the text is in the requested language', () => {
  assert.equal(browserText('zh', AGENTS[0]?.[0] ?? ''), 'Windows 上的 Chrome')
})

test.run()
