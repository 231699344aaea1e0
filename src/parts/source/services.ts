// Public services with a preset.

interface Service {
  /** Value of the service in the list of destinations. */
  id: string
  name: string
  /** The ingest URL that the service documents for encoders. */
  url: string
  /** Page of the service that shows the key of the signed-in user. */
  keyPage: string
}

export const SERVICES: readonly Service[] = [
  {
    id: 'youtube',
    name: 'YouTube',
    url: 'rtmps://a.rtmps.youtube.com/live2',
    keyPage: 'https://www.youtube.com/live_dashboard'
  },
  {
    id: 'twitch',
    name: 'Twitch',
    url: 'rtmp://live.twitch.tv/app',
    keyPage: 'https://dashboard.twitch.tv/settings/stream'
  },
  {
    id: 'facebook',
    name: 'Facebook Live',
    url: 'rtmps://live-api-s.facebook.com:443/rtmp',
    keyPage: 'https://www.facebook.com/live/producer'
  }
]
