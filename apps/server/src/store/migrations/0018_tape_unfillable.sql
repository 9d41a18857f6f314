-- Finds the gaps of a tape that the exchange does not fill, among all its events.
create index tape_event_unfillable on tape_event (series, to_sequence) where kind = 'unfillable';
