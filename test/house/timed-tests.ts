// The tests that wait for time. All others wait for a condition (test/kit/until.ts).

export interface TimedTest {
  file: string
  /** The test, or the function that waits for several. */
  title: string
  /** What would not be tested without it. */
  reason: string
}

/**
 * At most 30. A duration is measured in the time of the processes of the test (test/kit/own-time.ts), which a machine
 * with other work does not lengthen.
 */
export const TIMED_TESTS: readonly TimedTest[] = [
  {
    file: 'test/browser/lost-connection.test.ts',
    title: 'journey',
    reason: 'A line that has broken is marked within 3 s.'
  },
  {
    file: 'test/browser/ndi-router/matrix.test.ts',
    title: 'a take in one console appears in another one within 500 ms',
    reason: 'A latency of two pages, with takes at different times after the last refresh.'
  },
  {
    file: 'test/engine/first-picture.test.ts',
    title: 'play',
    reason: 'An RTSP player has its first picture within 2 s.'
  },
  {
    file: 'test/engine/first-picture.test.ts',
    title: 'pages begin with the last key frame, the first one and those after it',
    reason: 'A page has its first picture within 2 s.'
  },
  {
    file: 'test/engine/ndi/ndi-input-loss.test.ts',
    title:
      'a source that disappears three times within seconds is searched for soon each time, without waiting for the runtime',
    reason: 'The pause before a search must not grow.'
  },
  {
    file: 'test/engine/ndi/network/ndi-receive.test.ts',
    title: 'a source that ends, is killed, hangs or is cut off is offline within 3 s, and back within 3 s',
    reason: 'The state of an input stays while the engine searches for its source, and while it is received again.'
  },
  {
    file: 'test/engine/paused-engine.test.ts',
    title: 'pauseEngine',
    reason: 'A process is stopped for longer than a jump of timestamps that means a restarted source.'
  },
  {
    file: 'test/engine/ports/publisher-replacement.test.ts',
    title: 'replace',
    reason: 'A publisher that is silent is replaced before its connection is found dead.'
  },
  {
    file: 'test/engine/process-death.test.ts',
    title: 'the processes of a killed engine end, and its channels carry within 10 s after a restart',
    reason: 'The outage after the death of an engine.'
  },
  {
    file: 'test/engine/process/killed-processes.test.ts',
    title: 'all legs recover within ten seconds after any process is killed, and no process outlives its parent',
    reason: 'The outage after the death of a process.'
  },
  {
    file: 'test/engine/restarted-source.test.ts',
    title: 'a chain over RTSP and RTMP carries again soon after its source has restarted',
    reason: 'Audio alone takes longer for as many bytes.'
  },
  {
    file: 'test/engine/transport-streams.test.ts',
    title: 'a killed relay is replaced within 5 s, and its outputs carry again',
    reason: 'The outage after the death of a relay.'
  },
  {
    file: 'test/hub/devices/link/faults.test.ts',
    title:
      'garbage, missing responses and responses of 50 MB do not affect other devices, and implausible values are dropped',
    reason: 'Calls stay fast beside devices that misbehave.'
  },
  {
    file: 'test/hub/devices/link/links.test.ts',
    title: 'a stopped device process is detected within 5 s with the default timeouts',
    reason: 'The time limit of pings that ships.'
  },
  {
    file: 'test/hub/http/change-feed.test.ts',
    title: 'continuous changes are reported twice a second at most, a single one within a second',
    reason: 'The pace of the feed.'
  },
  {
    file: 'test/hub/http/change-feed.test.ts',
    title: 'a change of the NDI router is reported within 250 ms, also just after another message',
    reason: 'The pace of the feed for the NDI router.'
  },
  {
    file: 'test/hub/http/slow-clients.test.ts',
    title:
      'a client that sends nothing, or its headers or a body byte by byte, is disconnected within the limits that ship',
    reason: 'Time limits of the HTTP server.'
  },
  {
    file: 'test/hub/ndi/real-router-salvo.test.ts',
    title: 'a salvo of 64 routes is made within 150 ms, observed within 500 ms, and two consoles agree',
    reason: 'A latency of the router with the real runtime.'
  },
  {
    file: 'test/hub/restart.test.ts',
    title: 'a hub that is stopped has no such flag, and without open consoles a restart does not wait',
    reason: 'A restart waits for open consoles only.'
  },
  {
    file: 'test/hub/videohub/panel-limits.test.ts',
    title: 'timeUntilPushed',
    reason: 'A panel that works stays fast beside clients that do not.'
  },
  {
    file: 'test/hub/videohub/panel-updates.test.ts',
    title: 'timeUntilAll',
    reason: 'A latency of all panels.'
  },
  {
    file: 'test/kit/browser/page-traffic.ts',
    title: 'measureTraffic',
    reason: 'Traffic is measured over a time.'
  },
  {
    file: 'test/kit/browser/watch-journey.ts',
    title: 'measurePlayback',
    reason: 'Playback is measured over a time, in the page.'
  },
  {
    file: 'test/kit/within.ts',
    title: 'within',
    reason:
      'What the product promises to show within seconds: lost NDI sources and receivers, stopped targets, devices offline.'
  },
  {
    file: 'test/kit/within.ts',
    title: 'waitDuring',
    reason: 'What a receiver misses, or a page shows late, because the machine let the programs wait.'
  },
  {
    file: 'test/src/state/broken-line.test.tsx',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the title is a template
    title: '${how}: the data is stale within 3 s, and recovers within 6 s',
    reason: 'The time limit for stale data that ships.'
  },
  {
    file: 'test/supervisor/device-streams.test.ts',
    title: 'a device that pushes and one that plays continue without a gap when the hub dies and another one starts',
    reason: 'A hub is away for longer than a device waits before it looks at its stream.'
  },
  {
    file: 'test/supervisor/engine-death.test.ts',
    title:
      'outputs run again within 5 s after the engine was killed, all its processes are gone, and the log reports it',
    reason: 'The outage after the death of an engine.'
  },
  {
    file: 'test/supervisor/stopped-processes.test.ts',
    title: 'a hub that is stopped and continued has its streams, which lost nothing',
    reason: 'A process is stopped for so long that the other end gives up.'
  },
  {
    file: 'test/supervisor/supervised-program.test.ts',
    title: 'superviseProgram',
    reason: 'A program runs for longer than one that never started well.'
  }
]
