/** The sections of the inbox, in the order in which they are shown. */
export const inboxSections = ['needs_you', 'reviewer', 'to_review', 'offline'] as const
