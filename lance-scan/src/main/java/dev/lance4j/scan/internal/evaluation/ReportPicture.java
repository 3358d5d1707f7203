package dev.lance4j.scan.internal.evaluation;

import dev.lance4j.scan.VectorReport;
import dev.lance4j.scan.VectorReport.Outcome;
import java.util.List;
import java.util.Locale;

/** Reports as pictures: recall from left to right, latency, on a logarithmic scale, upwards. */
public final class ReportPicture {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 440;
  private static final int LEFT = 80;
  private static final int RIGHT = 160;
  private static final int TOP = 40;
  private static final int BOTTOM = 60;
  private static final int RECALL_STEPS = 5;

  private final VectorReport report;
  private final StringBuilder svg = new StringBuilder();
  private final double leastRecall;
  private final int lowestDecade;
  private final int highestDecade;

  private ReportPicture(VectorReport report) {
    this.report = report;
    List<Outcome> all = report.outcomes();
    double least = all.stream().mapToDouble(Outcome::recall).min().orElseThrow();
    this.leastRecall = Math.min(0.9, Math.floor(least * 10) / 10);
    this.lowestDecade =
        (int)
            Math.floor(
                Math.log10(all.stream().mapToDouble(ReportPicture::millis).min().orElseThrow()));
    this.highestDecade =
        Math.max(
            lowestDecade + 1,
            (int)
                Math.ceil(
                    Math.log10(
                        all.stream().mapToDouble(ReportPicture::millis).max().orElseThrow())));
  }

  private static double millis(Outcome outcome) {
    return Math.max(outcome.warm().p50(), 1e-6);
  }

  /** A picture of a report. */
  public static String svg(VectorReport report) {
    return new ReportPicture(report).draw();
  }

  private String draw() {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        WIDTH, HEIGHT);
    add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
    text(
        LEFT,
        TOP - 15,
        "start",
        "Recall@" + report.k() + " and warm latency of " + report.column());
    axes();
    frontier();
    for (Outcome outcome : report.outcomes()) {
      double x = x(outcome.recall());
      double y = y(millis(outcome));
      add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#1f5fa8\"/>", x, y);
      text(x + 7, y + 4, "start", outcome.name());
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes() {
    for (int step = 0; step <= RECALL_STEPS; step++) {
      double recall = leastRecall + (1 - leastRecall) * step / RECALL_STEPS;
      line(x(recall), TOP, x(recall), HEIGHT - BOTTOM);
      text(x(recall), HEIGHT - BOTTOM + 18, "middle", String.format(Locale.ROOT, "%.2f", recall));
    }
    for (int decade = lowestDecade; decade <= highestDecade; decade++) {
      double millis = Math.pow(10, decade);
      line(LEFT, y(millis), WIDTH - RIGHT, y(millis));
      text(LEFT - 8, y(millis) + 4, "end", String.format(Locale.ROOT, "%s ms", number(millis)));
    }
    text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 15, "middle", "recall");
  }

  private static String number(double value) {
    return value >= 1 ? Long.toString(Math.round(value)) : Double.toString(value);
  }

  private void frontier() {
    StringBuilder points = new StringBuilder();
    for (Outcome outcome : report.frontier()) {
      points.append(
          String.format(Locale.ROOT, "%.1f,%.1f ", x(outcome.recall()), y(millis(outcome))));
    }
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"#d9822b\" stroke-width=\"2\"/>",
        points.toString().strip());
  }

  private double x(double recall) {
    return LEFT + (recall - leastRecall) / (1 - leastRecall) * (WIDTH - LEFT - RIGHT);
  }

  private double y(double millis) {
    double part = (Math.log10(millis) - lowestDecade) / (highestDecade - lowestDecade);
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
  }

  private void line(double x1, double y1, double x2, double y2) {
    add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", x1, y1, x2, y2);
  }

  private void text(double x, double y, String anchor, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
