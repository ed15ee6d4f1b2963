const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' });

/** A day so many days from today, where the companies of the tests are: in India the day begins before that of UTC. */
export const companyDay = (offset: number): string => day.format(Date.now() + offset * 86_400_000);
