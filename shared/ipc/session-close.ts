/**
 * The close code by which the browser shell says that the session of a page has ended: it must sign in again. Of the range that
 * RFC 6455 (7.4.2) leaves to applications; 401 as in HTTP.
 */
export const CLOSE_SESSION_ENDED = 4401
