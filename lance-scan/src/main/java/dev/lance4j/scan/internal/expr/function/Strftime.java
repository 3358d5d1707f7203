package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Formats of dates and times as C's {@code strftime} writes them: {@code %Y-%m-%d}. */
final class Strftime {
  private static final Locale ENGLISH = Locale.ENGLISH;

  private final String format;

  Strftime(String format) {
    this.format =
        format
            .replace("%%", "%\0")
            .replace("%F", "%Y-%m-%d")
            .replace("%T", "%H:%M:%S")
            .replace("%X", "%H:%M:%S")
            .replace("%R", "%H:%M")
            .replace("%D", "%m/%d/%y")
            .replace("%x", "%m/%d/%y")
            .replace("%r", "%I:%M:%S %p")
            .replace("%c", "%a %b %e %H:%M:%S %Y")
            .replace("%h", "%b");
  }

  /**
   * @param zone of the time, or null if it has none
   * @param timeOnly whether fields of the date are errors
   */
  String format(LocalDateTime time, ZoneId zone, boolean timeOnly) {
    StringBuilder result = new StringBuilder();
    int i = 0;
    while (i < format.length()) {
      char c = format.charAt(i++);
      if (c != '%') {
        result.append(c);
        continue;
      }
      int start = i;
      while (i < format.length()
          && (".:-_0".indexOf(format.charAt(i)) >= 0 || isDigit(format.charAt(i)))) {
        i++;
      }
      if (i == format.length()) {
        throw unknown("%" + format.substring(start));
      }
      append(format.substring(start, i), format.charAt(i++), time, zone, timeOnly, result);
    }
    return result.toString();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static InvalidInputException unknown(String specifier) {
    return new InvalidInputException(
        "Unknown part '" + specifier.replace('\0', '%') + "' of a date format");
  }

  private static void append(
      String modifier,
      char specifier,
      LocalDateTime time,
      ZoneId zone,
      boolean timeOnly,
      StringBuilder out) {
    if (specifier == 'f') {
      out.append(fraction(modifier, time.get(ChronoField.NANO_OF_SECOND)));
      return;
    }
    if (specifier == 'z' && zone != null && (modifier.isEmpty() || modifier.equals(":"))) {
      String offset = offset(time, zone);
      out.append(modifier.isEmpty() ? offset.replace(":", "") : offset);
      return;
    }
    if (specifier == 'Z' && zone != null) {
      out.append(zone.equals(ZoneOffset.UTC) ? "UTC" : offset(time, zone));
      return;
    }
    String text = timeText(specifier, time);
    if (text == null && !timeOnly) {
      text = dateText(specifier, time);
    }
    if (text == null) {
      throw unknown("%" + modifier + specifier);
    }
    out.append(padded(modifier, text));
  }

  private static String padded(String modifier, String text) {
    return switch (modifier) {
      case "-" -> text.replaceFirst("^[0 ](?=.)", "");
      case "_" -> text.replaceFirst("^0(?=.)", " ");
      case "0" -> text.replaceFirst("^ ", "0");
      default -> {
        if (!modifier.isEmpty()) {
          throw unknown("%" + modifier);
        }
        yield text;
      }
    };
  }

  private static String offset(LocalDateTime time, ZoneId zone) {
    String id = ZonedDateTime.of(time, zone).getOffset().getId();
    return id.equals("Z") ? "+00:00" : id;
  }

  private static String fraction(String modifier, int nanos) {
    String digits = String.format(Locale.ROOT, "%09d", nanos);
    return switch (modifier) {
      case "" -> digits;
      case "3", "6", "9" -> digits.substring(0, modifier.charAt(0) - '0');
      case ".3", ".6", ".9" -> "." + digits.substring(0, modifier.charAt(1) - '0');
      case "." -> {
        if (nanos == 0) {
          yield "";
        }
        int length = nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
        yield "." + digits.substring(0, length);
      }
      default -> throw unknown("%" + modifier + "f");
    };
  }

  private static String timeText(char specifier, LocalDateTime time) {
    int hour12 = time.getHour() % 12 == 0 ? 12 : time.getHour() % 12;
    return switch (specifier) {
      case 'H' -> twoDigits(time.getHour());
      case 'I' -> twoDigits(hour12);
      case 'k' -> spaced(time.getHour());
      case 'l' -> spaced(hour12);
      case 'M' -> twoDigits(time.getMinute());
      case 'S' -> twoDigits(time.getSecond());
      case 'p' -> time.getHour() < 12 ? "AM" : "PM";
      case 'P' -> time.getHour() < 12 ? "am" : "pm";
      case 'n' -> "\n";
      case 't' -> "\t";
      case '\0' -> "%";
      default -> null;
    };
  }

  private static String dateText(char specifier, LocalDateTime time) {
    return switch (specifier) {
      case 'Y' -> year(time.getYear());
      case 'C' -> twoDigits(Math.floorDiv(time.getYear(), 100));
      case 'y' -> twoDigits(Math.floorMod(time.getYear(), 100));
      case 'q' -> Integer.toString(time.get(IsoFields.QUARTER_OF_YEAR));
      case 'm' -> twoDigits(time.getMonthValue());
      case 'b' -> time.getMonth().getDisplayName(TextStyle.SHORT, ENGLISH);
      case 'B' -> time.getMonth().getDisplayName(TextStyle.FULL, ENGLISH);
      case 'd' -> twoDigits(time.getDayOfMonth());
      case 'e' -> spaced(time.getDayOfMonth());
      case 'a' -> time.getDayOfWeek().getDisplayName(TextStyle.SHORT, ENGLISH);
      case 'A' -> time.getDayOfWeek().getDisplayName(TextStyle.FULL, ENGLISH);
      case 'w' -> Integer.toString(time.getDayOfWeek().getValue() % 7);
      case 'u' -> Integer.toString(time.getDayOfWeek().getValue());
      case 'j' -> String.format(Locale.ROOT, "%03d", time.getDayOfYear());
      case 'U' -> twoDigits((time.getDayOfYear() + 6 - time.getDayOfWeek().getValue() % 7) / 7);
      case 'W' -> twoDigits((time.getDayOfYear() + 7 - time.getDayOfWeek().getValue()) / 7);
      case 'G' -> year(time.get(IsoFields.WEEK_BASED_YEAR));
      case 'g' -> twoDigits(Math.floorMod(time.get(IsoFields.WEEK_BASED_YEAR), 100));
      case 'V' -> twoDigits(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      case 's' -> Long.toString(time.toEpochSecond(ZoneOffset.UTC));
      default -> null;
    };
  }

  private static String year(int year) {
    return year >= 0 && year <= 9_999
        ? String.format(Locale.ROOT, "%04d", year)
        : String.format(Locale.ROOT, "%+05d", year);
  }

  private static String twoDigits(int number) {
    return String.format(Locale.ROOT, "%02d", number);
  }

  private static String spaced(int number) {
    return String.format(Locale.ROOT, "%2d", number);
  }

  /**
   * The time of a text in this format; fields that the format lacks are zero. Null if it differs.
   */
  LocalDateTime parse(String text) {
    Parser parser = new Parser(text);
    int i = 0;
    while (i < format.length()) {
      char c = format.charAt(i++);
      if (c == '%' && i < format.length()) {
        boolean dotted = format.charAt(i) == '.';
        i += dotted ? 1 : 0;
        if (i == format.length() || !parser.field(format.charAt(i++), dotted)) {
          return null;
        }
      } else if (!parser.literal(c)) {
        return null;
      }
    }
    return parser.result();
  }

  /** Reads the fields of a text one after the other. */
  private static final class Parser {
    private final String text;
    private int at;
    private int year = 1970;
    private int month = 1;
    private int day = 1;
    private int hour;
    private int minute;
    private int second;
    private int nano;
    private int offsetSeconds;
    private Boolean afternoon;

    Parser(String text) {
      this.text = text;
    }

    boolean literal(char c) {
      return at < text.length() && text.charAt(at++) == c;
    }

    boolean field(char specifier, boolean dotted) {
      return switch (specifier) {
        case 'Y' -> (year = number(4)) >= 0;
        case 'y' -> shortYear();
        case 'm' -> (month = number(2)) >= 0;
        case 'd', 'e' -> (day = number(2)) >= 0;
        case 'H', 'k', 'I', 'l' -> (hour = number(2)) >= 0;
        case 'M' -> (minute = number(2)) >= 0;
        case 'S' -> (second = number(2)) >= 0;
        case 'f' -> (!dotted || literal('.')) && fraction();
        case 'p', 'P' -> halfDay();
        case 'b', 'B' -> monthName();
        case 'z' -> offset();
        case '\0' -> literal('%');
        default -> throw unknown("%" + specifier);
      };
    }

    private boolean shortYear() {
      int value = number(2);
      year = value + (value < 70 ? 2_000 : 1_900);
      return value >= 0;
    }

    private int number(int digits) {
      int end = at;
      while (end < text.length() && end < at + digits && isDigit(text.charAt(end))) {
        end++;
      }
      if (end == at) {
        return -1;
      }
      int value = Integer.parseInt(text.substring(at, end));
      at = end;
      return value;
    }

    private boolean fraction() {
      int start = at;
      int value = number(9);
      nano = value;
      for (int digits = at - start; digits < 9; digits++) {
        nano *= 10;
      }
      return value >= 0;
    }

    private boolean halfDay() {
      String rest = text.substring(at, Math.min(text.length(), at + 2)).toUpperCase(Locale.ROOT);
      at += 2;
      afternoon = rest.equals("PM");
      return rest.equals("AM") || afternoon;
    }

    private boolean monthName() {
      for (java.time.Month candidate : java.time.Month.values()) {
        for (TextStyle style : new TextStyle[] {TextStyle.FULL, TextStyle.SHORT}) {
          String name = candidate.getDisplayName(style, ENGLISH);
          if (text.regionMatches(true, at, name, 0, name.length())) {
            at += name.length();
            month = candidate.getValue();
            return true;
          }
        }
      }
      return false;
    }

    private boolean offset() {
      boolean negative = at < text.length() && text.charAt(at) == '-';
      if (!negative && !(at < text.length() && text.charAt(at) == '+')) {
        return false;
      }
      at++;
      int hours = number(2);
      if (at < text.length() && text.charAt(at) == ':') {
        at++;
      }
      int minutes = number(2);
      offsetSeconds = (hours * 3_600 + minutes * 60) * (negative ? -1 : 1);
      return hours >= 0 && minutes >= 0;
    }

    LocalDateTime result() {
      if (at != text.length()) {
        return null;
      }
      try {
        int clock = afternoon == null ? hour : hour % 12 + (afternoon ? 12 : 0);
        return LocalDate.of(year, month, day)
            .atTime(LocalTime.of(clock, minute, second, nano))
            .minusSeconds(offsetSeconds);
      } catch (DateTimeException e) {
        return null;
      }
    }
  }
}
