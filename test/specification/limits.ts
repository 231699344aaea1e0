// Section 9: limits, intervals and defaults.
import assert from 'node:assert/strict'
import { FIRMWARE_SPACE_MIN } from '../../contract/firmware.ts'
import * as limits from '../../contract/limits.ts'
import { CACHE_PREFIX, REFRESH_INTERVAL } from '../../contract/limits.ts'
import { isNdiUrl } from '../../contract/stream/ndi-url.ts'
import { parseSourceUrl } from '../../contract/stream/source-url.ts'
import { PORT_DEFAULTS } from '../../contract/web/ports.ts'
import { checked, completeRow, part, type Section, tested, valueRows } from './rows.ts'

const COUNTS = { USERS_MAX: 32, GROUPS_MAX: 6, CHANNEL_OUTPUTS_MAX: 16, CATALOG_DEPTH_MAX: 5 }
const LENGTHS = {
  NAME_MAX: 64,
  STREAM_KEY_MAX: 63,
  CATALOG_NAME_MAX: 32,
  USER_NAME_MIN: 3,
  USER_NAME_MAX: 12,
  PASSWORD_MAX: 32,
  TOKEN_LENGTH: 64
}
const NUMBERS = { PORT_MAX: 65535, LATENCY_MIN: 20, LATENCY_MAX: 8000, BUFFER_MIN: 1, BUFFER_MAX: 2000 }
const TIMES = { REQUEST_TIMEOUT: 20_000, CHUNK_TIMEOUT: 120_000, PREVIEW_RECONNECT: 3000 }
const REFRESH = { slowest: 5000, slower: 2000, slow: 1100, normal: 1000, fast: 500, faster: 300, fastest: 100 }
const BUFFERS = { PREVIEW_BUFFER: 1_048_576, BOUNDARY_SEARCH_LIMIT: 48, CONTENT_HEADER_LIMIT: 1024 }

const URLS: Readonly<Record<string, string>> = {
  rtmp: 'rtmp://a.example/live',
  rtmps: 'rtmps://a.example/live',
  srt: 'srt://a.example:9000',
  udp: 'udp://239.0.0.1:5000',
  rtp: 'rtp://239.0.0.1:5000',
  rtsp: 'rtsp://a.example/live',
  http: 'http://a.example/live.m3u8',
  https: 'https://a.example/live.m3u8'
}

export const LIMITS: Section = {
  number: 9,
  title: 'Limits and defaults',
  file: 'limits.ts',
  parts: [
    part(
      'Counts',
      valueRows((name, value) => `${name} is ${value}.`, { ...limits }, COUNTS),
      tested(
        'A 33rd user is refused.',
        'hub/handlers/user/user.test.ts',
        'the 32nd user has the highest bit, a 33rd is refused, and a freed bit is used again'
      ),
      tested(
        'A seventh user group is refused.',
        'hub/handlers/user/user-group.test.ts',
        'there are at most six groups, and a freed bit is used again'
      ),
      tested(
        'A seventeenth output is refused.',
        'hub/handlers/channel/channel.test.ts',
        'an output belongs to one channel, and a channel has at most sixteen'
      ),
      tested(
        'A sixth level of device groups is refused.',
        'hub/handlers/catalog/catalog.test.ts',
        'groups can be nested in at most five levels'
      )
    ),
    part(
      'Lengths and numbers',
      valueRows((name, value) => `${name} is ${value}.`, { ...limits }, { ...LENGTHS, ...NUMBERS })
    ),
    part(
      'Ports',
      checked('Devices and the cloud register at port 8070.', () => assert.equal(limits.LINK_PORT, 8070)),
      tested(
        'Network settings: ports for HTTP and HTTPS. A new one waits for its confirmation.',
        'hub/http/ports/port-change.test.ts',
        'a new port that is not confirmed is closed again, and the reason is kept'
      ),
      tested(
        'Network settings: certificate and key.',
        'src/screens/certificate/certificate.test.tsx',
        'a certificate is installed from two files, and a wrong one is refused at its field'
      ),
      checked('HLS and downloads are at port 8080.', () => assert.equal(limits.FILES_PORT, 8080)),
      tested(
        'HLS has a switch of its own. It stops the HLS outputs and nothing else, and each of them says why.',
        'hub/handlers/system/hls.test.ts',
        'off stops the HLS outputs at once and nothing else, the channel says why, and on starts them again'
      ),
      tested(
        'A file is downloaded at port 8080 by a ticket, without a cookie.',
        'hub/http/files-port.test.ts',
        'a ticket needs no cookie, at this port and at that of the console'
      ),
      tested(
        'A port that another program has is a warning, and stops nothing.',
        'hub/http/files-port.test.ts',
        'another program that has the port is a problem with the reason, and the hub works without it'
      ),
      checked('HTTP is at port 80, and HTTPS at 443, after a reset.', () =>
        assert.deepEqual([PORT_DEFAULTS.http, PORT_DEFAULTS.https], [80, 443])
      ),
      tested(
        'There are two DNS servers, which must differ.',
        'src/screens/network/network.test.tsx',
        'a gateway outside of the subnet and two equal name servers are refused before the hub is asked'
      )
    ),
    part(
      'Space',
      checked('An upload of firmware needs 50 MB.', () => assert.equal(FIRMWARE_SPACE_MIN, 50)),
      tested(
        'An upload that would leave less is refused.',
        'hub/handlers/firmware/firmware.test.ts',
        '50 MB stay free on the disk, pending uploads included; the response has the numbers'
      )
    ),
    part(
      'Times',
      valueRows((name, value) => `${name} is ${value} ms.`, { ...limits }, TIMES),
      valueRows((name, value) => `The refresh interval ${name} is ${value} ms.`, REFRESH_INTERVAL, REFRESH),
      completeRow('There are no other refresh intervals.', REFRESH_INTERVAL, REFRESH),
      tested(
        'A language pack is given up after 120 s.',
        'src/loader.test.ts',
        'a language pack that has not arrived after 120 s shows an error, and Retry requests it again'
      ),
      tested(
        'The language cookie lives for 30 days.',
        'src/text/language.test.tsx',
        'the choice is kept in a cookie for 30 days and set on the document'
      ),
      tested(
        'Resizing is measured once in 10 ms.',
        'src/ui/screen-size.test.tsx',
        'resize events in a row are measured once'
      ),
      tested(
        'The session expiry is kept in seconds, or -1.',
        'src/state/session.test.ts',
        'the session expiry is stored in seconds'
      )
    ),
    part(
      'Preview buffer',
      valueRows((name, value) => `${name} is ${value} bytes.`, { ...limits }, BUFFERS),
      tested(
        'The buffer doubles as needed.',
        'src/preview/buffer.test.ts',
        'the buffer doubles when its content does not fit, and keeps the content'
      ),
      tested(
        'The boundary is searched in 48 bytes.',
        'src/preview/parser.test.ts',
        'a stream without its boundary in the first 48 bytes is rejected'
      ),
      tested(
        'Headers of 1024 bytes are read.',
        'src/preview/parser.test.ts',
        'headers of 1024 bytes are read, with longer ones the part is skipped'
      )
    ),
    part(
      'Badges and cache',
      valueRows((name, value) => `${name} is ${value}.`, { ...limits }, { BADGE_CAP_DEVICES: 9999, BADGE_CAP_FLAG: 1 }),
      checked('Cookies and keys of the local storage have one prefix.', () => assert.equal(CACHE_PREFIX, 'headend-'))
    ),
    part(
      'Licence notices',
      tested(
        'Earlier than 30 days before there is no notice.',
        'src/screens/license/license.test.tsx',
        'the day before its end, a licence is announced without a number of days; 31 days before, it is not'
      ),
      tested(
        'An expired licence stops no channel that is on air.',
        'hub/license/on-air.test.ts',
        'a channel on air continues when its licence expires, and so do accepted devices'
      ),
      tested(
        'Devices over the limit wait, and none is turned away.',
        'hub/license/license.test.ts',
        'devices over the limit wait, and none is turned away'
      ),
      tested(
        'The end of a licence is a notice within 30 days, a warning below 15 days, and an error after it.',
        'src/screens/license/license.test.tsx',
        'the end of a licence is announced to every user, and as a warning from 15 days on'
      )
    ),
    part(
      'URLs',
      Object.entries(URLS).map(([scheme, url]) =>
        checked(`A URL of a source begins with ${scheme}.`, () => {
          const parsed = parseSourceUrl(url)
          assert.equal('scheme' in parsed && parsed.scheme, scheme)
        })
      ),
      checked('A URL of an NDI source begins with ntkndi.', () => assert.ok(isNdiUrl('ntkndi://ndi?name=A')))
    )
  ]
}
